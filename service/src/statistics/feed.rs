//! Stretches of the feed, and the matches that ended in them.

use std::collections::{BTreeSet, HashMap};

use domain::{matches::Match, time::Timestamp};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};
use store::{
    EventLog,
    entities::{erasure, player},
    event_log::FeedEntry,
};
use uuid::Uuid;

use super::record::{Accounts, Record};

/// A stretch of the feed has at most so many entries, and ends where it has more than so many commits.
const ENTRIES: u64 = 200;
const COMMITS: usize = 20_000;
/// How many players are asked for at once.
const PLAYERS: usize = 500;

/// What happened in a stretch of the feed.
#[derive(Debug)]
pub(super) struct Stretch {
    /// Where it ends.
    pub(super) pos: u64,
    /// The matches that ended, in the order of the feed.
    pub(super) records: Vec<Record>,
}

/// Reads the feed from its beginning or from somewhere else, always onwards.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    store: &'a EventLog,
    /// Matches that are over, but by a commit that comes later in the feed.
    ended: HashMap<Uuid, u64>,
    /// Players who have an account are not asked for again; guests may have become one.
    accounts: Accounts,
}

impl<'a> Reader<'a> {
    pub(super) fn new(store: &'a EventLog) -> Self {
        Self { store, ended: HashMap::new(), accounts: Accounts::new() }
    }

    /// The next stretch after a position; none at the end of the feed.
    pub(super) async fn read(&mut self, after: u64) -> Result<Option<Stretch>, DbErr> {
        let mut entries = self.store.feed(after, ENTRIES).await?;
        let mut commits = 0;
        let enough = entries.iter().position(|entry| {
            commits += entry.commits.len();
            commits > COMMITS
        });
        entries.truncate(enough.map_or(entries.len(), |index| index + 1));
        let Some(pos) = entries.last().map(|entry| entry.pos) else { return Ok(None) };
        let over = self.over(&entries).await?;
        let mut tables = Vec::with_capacity(over.len());
        let mut lives = self.store.lives(&over).await?;
        for id in over {
            match Match::fold_life(&lives.remove(&id).unwrap_or_default()) {
                Ok(Some(table)) => tables.push(table),
                Ok(None) => {}
                // One match that cannot be read must not keep all others from being counted.
                Err(error) => tracing::error!(%error, "a match is left out of the statistics"),
            }
        }
        self.know(&tables).await?;
        let records = tables.iter().map(|table| Record::of(table, &self.accounts)).collect();
        Ok(Some(Stretch { pos, records }))
    }

    /// The matches that these entries ended, in their order.
    async fn over(&mut self, entries: &[FeedEntry]) -> Result<Vec<Uuid>, DbErr> {
        let commits = || entries.iter().flat_map(|entry| &entry.commits);
        let unknown: BTreeSet<Uuid> =
            commits().map(|(id, _)| *id).filter(|id| !self.ended.contains_key(id)).collect();
        let unknown: Vec<Uuid> = unknown.into_iter().collect();
        self.ended.extend(self.store.ended(&unknown).await?);
        let ends = commits().filter(|(id, seq)| self.ended.get(id) == Some(seq));
        let over: Vec<Uuid> = ends.map(|(id, _)| *id).collect();
        for id in &over {
            self.ended.remove(id);
        }
        Ok(over)
    }

    /// Learns since when the players of these matches have had accounts.
    async fn know(&mut self, tables: &[Match]) -> Result<(), DbErr> {
        let unknown: BTreeSet<Uuid> = tables
            .iter()
            .flat_map(|table| table.seats().iter().flatten())
            .map(|sitter| sitter.player)
            .filter(|player| !self.accounts.contains_key(player))
            .collect();
        let unknown: Vec<Uuid> = unknown.into_iter().collect();
        for players in unknown.chunks(PLAYERS) {
            let db = self.store.database();
            let living: Vec<(Uuid, i64)> = player::Entity::find()
                .select_only()
                .columns([player::Column::Id, player::Column::AccountSince])
                .filter(player::Column::Id.is_in(players.iter().copied()))
                .filter(player::Column::AccountSince.is_not_null())
                .into_tuple()
                .all(db)
                .await?;
            let erased: Vec<(Uuid, i64)> = erasure::Entity::find()
                .select_only()
                .columns([erasure::Column::PlayerId, erasure::Column::AccountSince])
                .filter(erasure::Column::PlayerId.is_in(players.iter().copied()))
                .filter(erasure::Column::AccountSince.is_not_null())
                .into_tuple()
                .all(db)
                .await?;
            let known = living.into_iter().chain(erased);
            self.accounts.extend(known.map(|(id, since)| (id, Timestamp::from_micros(since))));
        }
        Ok(())
    }
}
