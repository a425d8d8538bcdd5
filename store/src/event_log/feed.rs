//! The ordered feed: which commits were written in which batch, in the order in which they became visible.

use std::{
    collections::{BTreeSet, HashSet},
    sync::atomic::{AtomicBool, Ordering},
};

use domain::matches::Commit;
use parking_lot::Mutex;
use sea_orm::{ConnectionTrait, QueryResult};
use uuid::Uuid;

use super::{EventLog, FeedPosition, postgres, signed, unsigned};
use crate::error::{Error, Result};

/// An entry of the feed: the commits of one batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedEntry {
    /// Its position.
    pub pos: FeedPosition,
    /// Match and sequence number of each commit.
    pub commits: Vec<(Uuid, u64)>,
}

/// How far the feed has been followed in this process: shared by the writer, which adds to it, and the followers, which read it.
///
/// An entry may become visible before the commits that it names, if they are on different nodes of a database. Everything up to
/// the followed position is visible, and nobody reads beyond it.
#[derive(Debug, Default)]
pub struct FeedProgress {
    /// Nothing while nobody follows the feed of a shared store.
    followed: Mutex<Option<Followed>>,
    /// Whether no other process follows the feed.
    alone: AtomicBool,
}

#[derive(Debug)]
struct Followed {
    position: FeedPosition,
    /// The entries after it that this process has written itself: their commits are visible.
    own: BTreeSet<FeedPosition>,
}

impl Followed {
    fn advance(&mut self, position: FeedPosition) {
        self.position = self.position.max(position);
        while let Some(next) = self.own.first().copied() {
            if !next.is_at_most_next_to(self.position) {
                break;
            }
            self.own.pop_first();
            self.position = self.position.max(next);
        }
    }
}

/// The most entries of our own that are remembered. More pile up only if the follower is stuck, and are read like others then.
const OWN_ENTRIES: usize = 10_000;

impl FeedProgress {
    pub(super) fn wrote(&self, position: FeedPosition) {
        if let Some(followed) = self.followed.lock().as_mut() {
            followed.own.insert(position);
            followed.advance(FeedPosition::START);
            if followed.own.len() > OWN_ENTRIES {
                followed.own.pop_first();
            }
        }
    }

    /// Begins to follow the feed after a position. From now on, followers see what [`Self::advance`] has reached.
    pub fn follow(&self, position: FeedPosition) {
        *self.followed.lock() = Some(Followed { position, own: BTreeSet::new() });
    }

    /// Notes that everything up to a position is visible, and has been applied to the matches in memory.
    pub fn advance(&self, position: FeedPosition) {
        if let Some(followed) = self.followed.lock().as_mut() {
            followed.advance(position);
        }
    }

    /// How far the feed has been followed; nothing if nobody follows it here.
    #[must_use]
    pub fn position(&self) -> Option<FeedPosition> {
        self.followed.lock().as_ref().map(|followed| followed.position)
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

/// How many commits one query names.
const KEYS: usize = 5_000;

impl EventLog {
    /// The feed after a position as far as it has been followed, oldest first, at most `limit` entries.
    pub async fn feed(&self, after: FeedPosition, limit: u64) -> Result<Vec<FeedEntry>> {
        let until = self.progress.position().unwrap_or(FeedPosition::END);
        if until <= after {
            return Ok(Vec::new());
        }
        self.entries(after, until, limit).await
    }

    /// The entries after a position, oldest first, at most `limit`. The commits that they name may not be visible yet; see
    /// [`Self::missing`].
    pub async fn announced(&self, after: FeedPosition, limit: u64) -> Result<Vec<FeedEntry>> {
        self.entries(after, FeedPosition::END, limit).await
    }

    async fn entries(
        &self,
        after: FeedPosition,
        until: FeedPosition,
        limit: u64,
    ) -> Result<Vec<FeedEntry>> {
        let statement = self.statement(
            "SELECT pos, commits FROM feed WHERE lane = 0 AND pos > $1 AND pos <= $2 ORDER BY pos LIMIT $3",
            [after.to_column().into(), until.to_column().into(), signed(limit).into()],
        );
        self.db.query_all_raw(statement).await?.iter().map(read_entry).collect()
    }

    /// Those of these commits that are not visible yet. Those of archived matches are visible. Only for a shared store.
    pub async fn missing(&self, keys: &[(Uuid, u64)]) -> Result<HashSet<(Uuid, u64)>> {
        let mut missing = HashSet::new();
        for keys in keys.chunks(KEYS) {
            for row in postgres::missing(&self.db, keys).await? {
                missing.insert((row.try_get("", "match_id")?, unsigned(row.try_get("", "seq")?)?));
            }
        }
        if missing.is_empty() { Ok(missing) } else { self.not_archived(missing).await }
    }

    /// How far the feed has been followed; where nobody has to follow it, the position of its last entry.
    pub async fn feed_head(&self) -> Result<FeedPosition> {
        match self.progress.position() {
            Some(position) => Ok(position),
            None => self.last_entry().await,
        }
    }

    /// The position of the last entry, whose commits may not be visible yet.
    pub async fn last_entry(&self) -> Result<FeedPosition> {
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
