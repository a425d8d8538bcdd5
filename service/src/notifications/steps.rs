//! Steps of matches, read in the order of the feed: each match is folded once and then advanced commit by commit.

use std::sync::Arc;

use domain::matches::{Commit, Corrupt, Match};
use quick_cache::sync::Cache;
use store::EventLog;
use uuid::Uuid;

use super::MatchStep;
use crate::error::Result;

/// How many matches are cached, each as of the last step that was read.
const MATCHES: usize = 2_000;

/// Reads steps of matches.
#[derive(Debug, Clone)]
pub struct StepReader {
    log: EventLog,
    matches: Arc<Cache<Uuid, Arc<Match>>>,
}

impl StepReader {
    /// Steps of the matches in this log.
    #[must_use]
    pub fn new(log: EventLog) -> Self {
        Self { log, matches: Arc::new(Cache::new(MATCHES)) }
    }

    /// The step of a match at sequence number `seq`.
    pub async fn step(&self, id: Uuid, seq: u64) -> Result<MatchStep> {
        let missing = || Corrupt { match_id: id, seq, reason: "it is missing".to_owned() };
        let known = self.matches.get(&id).filter(|known| known.version() == seq);
        let (before, commit) = if let Some(known) = known {
            (Some(known), self.log.commit(id, seq).await?)
        } else {
            let commits = self.log.load(id, 0).await?;
            let index = commits.partition_point(|commit| commit.seq < seq);
            let before = Match::fold(&commits[..index])?.map(Arc::new);
            (before, commits.into_iter().nth(index))
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
        self.matches.insert(id, Arc::clone(&after));
        Ok(MatchStep { after, commit: Arc::new(commit), notifications })
    }
}
