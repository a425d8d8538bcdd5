//! Steps of matches, read in the order of the feed: each match is folded once and then taken further commit by commit.

use std::sync::Arc;

use domain::matches::{Commit, Corrupt, Match};
use quick_cache::sync::Cache;
use sea_orm::DbErr;
use uuid::Uuid;

use super::Step;
use crate::{error::ApiError, event_store::EventStore};

/// How many matches are remembered as of the last step that was asked for.
const REMEMBERED: usize = 2_000;

/// Reads steps of matches.
#[derive(Debug, Clone)]
pub struct Stories {
    store: EventStore,
    known: Arc<Cache<Uuid, Arc<Match>>>,
}

/// Why a step cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StoryError {
    /// The store does not answer; it may the next time.
    #[error(transparent)]
    Store(#[from] DbErr),
    /// What stands in the store cannot be read, now or ever.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
}

impl From<StoryError> for ApiError {
    fn from(error: StoryError) -> Self {
        match error {
            StoryError::Store(error) => error.into(),
            StoryError::Corrupt(error) => error.into(),
        }
    }
}

impl Stories {
    /// Steps of the matches in this log.
    #[must_use]
    pub fn new(store: EventStore) -> Self {
        Self { store, known: Arc::new(Cache::new(REMEMBERED)) }
    }

    /// The step of a match that the commit at `seq` is.
    pub async fn step(&self, id: Uuid, seq: u64) -> Result<Step, StoryError> {
        let missing = || Corrupt { match_id: id, seq, reason: "it is not there".to_owned() };
        let known = self.known.get(&id).filter(|table| table.version() == seq);
        let (before, commit) = if let Some(table) = known {
            (Some(table), self.store.commit(id, seq).await?)
        } else {
            let commits = self.store.load(id, 0).await?;
            let place = commits.partition_point(|commit| commit.seq < seq);
            let before = Match::fold(&commits[..place])?.map(Arc::new);
            (before, commits.into_iter().nth(place))
        };
        let commit: Commit = commit.filter(|commit| commit.seq == seq).ok_or_else(missing)?;
        let (after, events) = match &before {
            None => (Match::open(&commit)?, commit.read(None)?.events),
            Some(before) => {
                let mut after = Match::clone(before);
                let events = after.apply(&commit)?.events;
                (after, events)
            }
        };
        let notifications = after.notifications(commit.player, &events).into();
        let after = Arc::new(after);
        self.known.insert(id, Arc::clone(&after));
        Ok(Step { after, commit: Arc::new(commit), notifications })
    }
}
