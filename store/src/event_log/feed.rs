//! The ordered feed: which commits were written in which batch, in the order in which they became visible.

use std::{
    collections::{BTreeSet, HashSet},
    fmt,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
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

impl FeedEntry {
    /// The entry as bytes, for other replicas.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 + 24 * self.commits.len());
        bytes.extend(self.pos.to_column().to_be_bytes());
        bytes.extend(self.commits.iter().flat_map(|(id, seq)| key_bytes(*id, *seq)));
        bytes
    }

    /// Reads what [`Self::to_bytes`] wrote; nothing if it is something else.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (pos, keys) = bytes.split_first_chunk()?;
        let pos = FeedPosition::from_column(i64::from_be_bytes(*pos)).ok()?;
        Some(Self { pos, commits: decode_keys(keys)? })
    }
}

/// How far the feed has been followed in this process: shared by the writer, which adds to it, and the followers, which read it.
///
/// An entry may become visible before the commits that it names, if they are on different nodes of a database. Everything up to
/// the followed position is visible, and nobody reads beyond it.
#[derive(Debug, Default)]
pub struct FeedProgress {
    /// Nothing while nobody follows the feed of a shared store.
    followed: Mutex<Option<Followed>>,
    /// Whether no other process has to be notified by the store.
    alone: AtomicBool,
    /// Told about every entry that this process has written.
    observer: OnceLock<Observer>,
}

/// Is told about entries.
struct Observer(Box<dyn Fn(FeedEntry) + Send + Sync>);

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

#[derive(Debug)]
struct Followed {
    position: FeedPosition,
    /// The entries after it that this process has written itself, or whose writer says that it has: their commits are visible.
    confirmed: BTreeSet<FeedPosition>,
}

impl Followed {
    fn advance(&mut self, position: FeedPosition) {
        self.position = self.position.max(position);
        while let Some(next) = self.confirmed.first().copied() {
            if !next.is_at_most_next_to(self.position) {
                break;
            }
            self.confirmed.pop_first();
            self.position = self.position.max(next);
        }
    }
}

/// The most confirmed entries that are remembered. More pile up only if the follower is stuck, and are read like others then.
const CONFIRMED: usize = 10_000;

impl FeedProgress {
    /// Notes an entry that this process has written.
    pub(super) fn wrote(&self, position: FeedPosition, commits: impl Iterator<Item = (Uuid, u64)>) {
        self.confirm(position);
        if let Some(Observer(tell)) = self.observer.get() {
            tell(FeedEntry { pos: position, commits: commits.collect() });
        }
    }

    /// From now on, `tell` is called with every entry that this process has written. Only the first call counts.
    pub fn observe(&self, tell: impl Fn(FeedEntry) + Send + Sync + 'static) {
        let _ = self.observer.set(Observer(Box::new(tell)));
    }

    /// Notes that the commits of an entry are visible: the database has confirmed them to their writer.
    pub fn confirm(&self, position: FeedPosition) {
        if let Some(followed) = self.followed.lock().as_mut() {
            followed.confirmed.insert(position);
            followed.advance(FeedPosition::START);
            if followed.confirmed.len() > CONFIRMED {
                followed.confirmed.pop_first();
            }
        }
    }

    /// Begins to follow the feed after a position. From now on, followers see what [`Self::advance`] has reached.
    pub fn follow(&self, position: FeedPosition) {
        *self.followed.lock() = Some(Followed { position, confirmed: BTreeSet::new() });
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

    /// Sets whether every other process that follows the feed hears of it in another way. If so, no notification is sent when the
    /// feed grows: a notification costs about as much as a move.
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

    /// Those of these commits that are not visible yet. Only for a shared store.
    pub async fn missing(&self, keys: &[(Uuid, u64)]) -> Result<HashSet<(Uuid, u64)>> {
        let mut missing = HashSet::new();
        for keys in keys.chunks(KEYS) {
            for row in postgres::missing(&self.db, keys).await? {
                missing.insert((row.try_get("", "match_id")?, unsigned(row.try_get("", "seq")?)?));
            }
        }
        Ok(missing)
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
    key_bytes(commit.match_id, commit.seq)
}

fn key_bytes(match_id: Uuid, seq: u64) -> impl Iterator<Item = u8> {
    match_id.into_bytes().into_iter().chain(seq.to_be_bytes())
}

/// The keys in an entry; nothing if it ends within one.
fn decode_keys(bytes: &[u8]) -> Option<Vec<(Uuid, u64)>> {
    let (keys, rest) = bytes.as_chunks::<24>();
    let keys = keys.iter().map(|key| {
        let (id, seq) = key.split_at(16);
        let id = u128::from_be_bytes(id.try_into().expect("16 of 24 bytes"));
        let seq = u64::from_be_bytes(seq.try_into().expect("the last 8 of 24 bytes"));
        (Uuid::from_u128(id), seq)
    });
    rest.is_empty().then(|| keys.collect())
}

fn read_entry(row: &QueryResult) -> Result<FeedEntry> {
    let pos = FeedPosition::from_column(row.try_get("", "pos")?)?;
    let bytes: Vec<u8> = row.try_get("", "commits")?;
    let commits = decode_keys(&bytes)
        .ok_or_else(|| Error::Failed(format!("entry {pos} of the feed ends within a key")))?;
    Ok(FeedEntry { pos, commits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_as_it_was_written_and_nothing_else_is_an_entry() {
        let pos = FeedPosition::from_column(7).unwrap();
        let commits = vec![(Uuid::from_u128(1), 0), (Uuid::from_u128(u128::MAX), u64::MAX)];
        let entry = FeedEntry { pos, commits };
        let bytes = entry.to_bytes();
        assert_eq!(FeedEntry::from_bytes(&bytes), Some(entry));
        for cut in (0..bytes.len()).filter(|cut| *cut < 8 || (cut - 8) % 24 != 0) {
            assert_eq!(FeedEntry::from_bytes(&bytes[..cut]), None, "{cut}");
        }
        assert_eq!(FeedEntry::from_bytes(&[0xff; 8]), None);
    }
}
