//! The ordered feed: which commits were written in which batch, in the order in which they became visible.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
};

use domain::matches::Commit;
use parking_lot::Mutex;
use sea_orm::{ConnectionTrait, QueryResult};
use uuid::Uuid;

use super::{EventLog, FeedPosition, signed};
use crate::error::{Error, Result};

/// An entry of the feed: the commits of one batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedEntry {
    /// Its position.
    pub pos: FeedPosition,
    /// Match and sequence number of each commit.
    pub commits: Vec<(Uuid, u64)>,
}

/// How far the feed is known here: shared by the writer, which adds to it, and the follower, which reads it.
#[derive(Debug, Default)]
pub struct FeedProgress {
    /// The entries that this process has written itself and not followed yet.
    own: Mutex<BTreeSet<FeedPosition>>,
    /// Whether no other process follows the feed.
    alone: AtomicBool,
}

/// The most entries of our own that are remembered. More pile up only if nobody follows the feed.
const OWN_ENTRIES: usize = 10_000;

impl FeedProgress {
    pub(super) fn wrote(&self, pos: FeedPosition) {
        let mut own = self.own.lock();
        own.insert(pos);
        if own.len() > OWN_ENTRIES {
            own.pop_first();
        }
    }

    /// The position up to which the feed after `pos` consists of entries of our own.
    #[must_use]
    pub fn follow(&self, mut pos: FeedPosition) -> FeedPosition {
        let mut own = self.own.lock();
        while let Some(next) = own.first().copied().filter(|next| next.is_at_most_next_to(pos)) {
            own.pop_first();
            pos = pos.max(next);
        }
        pos
    }

    pub(super) fn is_alone(&self) -> bool {
        self.alone.load(Ordering::Relaxed)
    }

    /// Sets whether this is the only process that follows the feed. If it is, no notification is sent when the feed grows: a
    /// notification costs about as much as a move.
    pub fn set_alone(&self, alone: bool) {
        self.alone.store(alone, Ordering::Relaxed);
    }
}

impl EventLog {
    /// The feed after a position, oldest first, at most `limit` entries.
    pub async fn feed(&self, after: FeedPosition, limit: u64) -> Result<Vec<FeedEntry>> {
        let statement = self.statement(
            "SELECT pos, commits FROM feed WHERE lane = 0 AND pos > $1 ORDER BY pos LIMIT $2",
            [after.to_column().into(), signed(limit).into()],
        );
        self.db.query_all_raw(statement).await?.iter().map(read_entry).collect()
    }

    /// The position of the last entry of the feed.
    pub async fn feed_head(&self) -> Result<FeedPosition> {
        let statement = self.statement("SELECT pos FROM lanes WHERE lane = 0", []);
        let row = self.db.query_one_raw(statement).await?;
        let row =
            row.ok_or_else(|| Error::Failed("the counter of the feed is missing".to_owned()))?;
        FeedPosition::from_column(row.try_get("", "pos")?)
    }
}

/// The key of a commit as an entry of the feed holds it: 16 bytes of id, 8 of sequence number.
pub(super) fn encode_key(commit: &Commit) -> impl Iterator<Item = u8> {
    commit.match_id.into_bytes().into_iter().chain(commit.seq.to_be_bytes())
}

fn read_entry(row: &QueryResult) -> Result<FeedEntry> {
    let pos = FeedPosition::from_column(row.try_get("", "pos")?)?;
    let bytes: Vec<u8> = row.try_get("", "commits")?;
    let (keys, rest) = bytes.as_chunks::<24>();
    if !rest.is_empty() {
        return Err(Error::Failed(format!("entry {pos} of the feed ends within a key")));
    }
    let ids = keys.iter().map(|key| {
        let key = u128::from_be_bytes(key[..16].try_into().expect("16 of 24 bytes"));
        Uuid::from_u128(key)
    });
    let seqs = keys
        .iter()
        .map(|key| u64::from_be_bytes(key[16..].try_into().expect("the last 8 of 24 bytes")));
    Ok(FeedEntry { pos, commits: ids.zip(seqs).collect() })
}
