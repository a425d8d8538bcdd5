//! The matches that end in a part of the feed.

use std::collections::{BTreeSet, HashMap};

use domain::{
    matches::{Corrupt, Match},
    time::Timestamp,
};
use store::{EventLog, event_log::FeedEntry, statistics};
use uuid::Uuid;

use super::record::{Accounts, Record};
use crate::error::Result;

/// The most entries of the feed that are read at once.
pub(super) const ENTRIES: u64 = 200;

/// Finds the matches that end, in the order of the feed.
#[derive(Debug)]
pub(super) struct EndedMatches<'a> {
    log: &'a EventLog,
    /// Matches that are over, but by a commit that comes later in the feed.
    ended: HashMap<Uuid, u64>,
    /// Players with accounts are looked up once; guests every time, because they may have created one.
    accounts: Accounts,
}

impl<'a> EndedMatches<'a> {
    pub(super) fn new(log: &'a EventLog) -> Self {
        Self { log, ended: HashMap::new(), accounts: Accounts::new() }
    }

    /// The records of the matches that these entries end.
    pub(super) async fn records(&mut self, entries: &[FeedEntry]) -> Result<Vec<Record>> {
        let ids = self.ended_by(entries).await?;
        let mut lives = self.log.lives(&ids).await?;
        let mut matches = Vec::with_capacity(ids.len());
        for id in ids {
            let commits = lives.remove(&id);
            let folded = commits.as_deref().map(Match::fold_life).transpose();
            match folded.map(Option::flatten) {
                Ok(Some(m)) => matches.push(m),
                Ok(None) => left_out(&missing(id)),
                // One unreadable match must not keep all others from being counted.
                Err(error) => left_out(&error),
            }
        }
        self.load_accounts(&matches).await?;
        Ok(matches.iter().map(|m| Record::of(m, &self.accounts)).collect())
    }

    /// The ids of the matches that these entries end.
    async fn ended_by(&mut self, entries: &[FeedEntry]) -> Result<Vec<Uuid>> {
        let commits = || entries.iter().flat_map(|entry| &entry.commits);
        let unknown: BTreeSet<Uuid> =
            commits().map(|(id, _)| *id).filter(|id| !self.ended.contains_key(id)).collect();
        let unknown: Vec<Uuid> = unknown.into_iter().collect();
        self.ended.extend(self.log.ended(&unknown).await?);
        let ends = commits().filter(|(id, seq)| self.ended.get(id) == Some(seq));
        let ids: Vec<Uuid> = ends.map(|(id, _)| *id).collect();
        for id in &ids {
            self.ended.remove(id);
        }
        Ok(ids)
    }

    /// Loads when the players of these matches created their accounts.
    async fn load_accounts(&mut self, matches: &[Match]) -> Result<()> {
        let unknown: BTreeSet<Uuid> = matches
            .iter()
            .flat_map(|m| m.seats().iter().flatten())
            .map(|sitter| sitter.player)
            .filter(|player| !self.accounts.contains_key(player))
            .collect();
        let unknown: Vec<Uuid> = unknown.into_iter().collect();
        let known = statistics::accounts_since(self.log.database(), &unknown).await?;
        self.accounts.extend::<HashMap<Uuid, Timestamp>>(known);
        Ok(())
    }
}

fn left_out(error: &Corrupt) {
    tracing::error!(%error, "a match is left out of the statistics");
}

fn missing(match_id: Uuid) -> Corrupt {
    Corrupt { match_id, seq: 0, reason: "its first commit is missing".to_owned() }
}
