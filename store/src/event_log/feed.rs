//! The ordered feed: which commits were written in which batch, in the order in which they became visible.
//!
//! A store on one machine has one feed. If its lanes live on several machines, each lane has its own: an entry is on the same
//! machine as the commits that it names, and a machine that fails stops its own lanes only.

use std::collections::HashSet;

use domain::matches::Commit;
use futures_util::{StreamExt as _, stream};
use sea_orm::{ConnectionTrait, QueryResult};
use uuid::Uuid;

use super::{EntryId, EventLog, FeedPosition, position, postgres, signed, unsigned};
use crate::{
    Connection as _,
    error::{Error, Result},
    lane::Lane,
    layout::Feeds,
};

/// An entry of the feed: the commits of one batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedEntry {
    /// Its place.
    pub id: EntryId,
    /// The position after this entry and those before it in the same list.
    pub pos: FeedPosition,
    /// Match and sequence number of each commit.
    pub commits: Vec<(Uuid, u64)>,
}

/// Entries of the feed.
#[derive(Debug, Clone)]
pub struct FeedPage {
    /// The entries.
    pub entries: Vec<FeedEntry>,
    /// Whether there were no more.
    pub is_last: bool,
}

/// An entry by itself: what its writer knows about it, and tells other replicas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenEntry {
    /// Its place.
    pub id: EntryId,
    /// Match and sequence number of each commit.
    pub commits: Vec<(Uuid, u64)>,
}

impl WrittenEntry {
    /// The entry as bytes, for other replicas.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(2 + 8 + KEY * self.commits.len());
        bytes.extend(self.id.stream.column().to_be_bytes());
        bytes.extend(self.id.number.to_be_bytes());
        bytes.extend(self.commits.iter().flat_map(|(id, seq)| key_bytes(*id, *seq)));
        bytes
    }

    /// Reads what [`Self::to_bytes`] wrote; nothing if it is something else.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (stream, bytes) = bytes.split_first_chunk()?;
        let (number, keys) = bytes.split_first_chunk()?;
        let id = EntryId {
            stream: Lane::new(u16::from_be_bytes(*stream))?,
            number: u64::from_be_bytes(*number),
        };
        Some(Self { id, commits: decode_keys(keys)? })
    }
}

/// The length of a key in an entry: 16 bytes of id, 8 of sequence number.
const KEY: usize = 24;
/// How many commits one query names.
const KEYS: usize = 5_000;
/// How many feeds are read at once.
const STREAMS: usize = 8;
/// The fewest entries that are read from a feed, if there are any.
const FEWEST: u64 = 8;

impl EventLog {
    /// The feed after a position as far as it has been followed, about `limit` entries. Those of one feed are in order.
    pub async fn feed(&self, after: &FeedPosition, limit: u64) -> Result<Vec<FeedEntry>> {
        let until = self.progress.position();
        if until.as_ref().is_some_and(|until| after.covers(until)) {
            return Ok(Vec::new());
        }
        Ok(self.entries(after, until.as_ref(), limit).await?.entries)
    }

    /// The entries after a position, about `limit`. The commits that they name may not be visible yet; see [`Self::missing`].
    pub async fn announced(&self, after: &FeedPosition, limit: u64) -> Result<FeedPage> {
        self.entries(after, None, limit).await
    }

    async fn entries(
        &self,
        after: &FeedPosition,
        until: Option<&FeedPosition>,
        limit: u64,
    ) -> Result<FeedPage> {
        let layout = self.db.layout();
        if layout.feeds == Feeds::PerLane && after.get(Lane::FIRST) >= layout.shared_until {
            return self.entries_of_lanes(after, until, limit).await;
        }
        // What was written before each lane had its own feed comes before everything else.
        let end = match layout.feeds {
            Feeds::Shared => u64::MAX,
            Feeds::PerLane => layout.shared_until,
        };
        let end = until.map_or(end, |until| until.get(Lane::FIRST).min(end));
        let rows = self.entries_of(Lane::FIRST, after.get(Lane::FIRST), end, limit).await?;
        let is_last = layout.feeds == Feeds::Shared && (rows.len() as u64) < limit;
        Ok(FeedPage { entries: number(after, rows), is_last })
    }

    /// The entries of one feed after a number and up to another.
    async fn entries_of(
        &self,
        stream: Lane,
        after: u64,
        until: u64,
        limit: u64,
    ) -> Result<Vec<WrittenEntry>> {
        let statement = self.statement(
            "SELECT pos, commits FROM feed WHERE lane = $1 AND pos > $2 AND pos <= $3 ORDER BY pos LIMIT $4",
            [
                stream.column().into(),
                position::to_column(after).into(),
                position::to_column(until).into(),
                signed(limit).into(),
            ],
        );
        let rows = self.db.prompt().query_all_raw(statement).await?;
        rows.iter().map(|row| read_entry(stream, row)).collect()
    }

    /// The entries of all feeds. Those that cannot be read at the moment are left out, unless that is all of them.
    async fn entries_of_lanes(
        &self,
        after: &FeedPosition,
        until: Option<&FeedPosition>,
        limit: u64,
    ) -> Result<FeedPage> {
        let grown = self.grown(after, until).await;
        let share = (limit / grown.len().max(1) as u64).max(FEWEST);
        let reading = grown.into_iter().map(|(stream, end)| async move {
            (stream, self.entries_of(stream, after.get(stream), end, share).await)
        });
        let read: Vec<_> = stream::iter(reading).buffer_unordered(STREAMS).collect().await;
        let (mut rows, mut is_last, mut failed, count) = (Vec::new(), true, Vec::new(), read.len());
        for (stream, found) in read {
            match found {
                Ok(found) => {
                    is_last &= (found.len() as u64) < share;
                    rows.extend(found);
                }
                Err(error) => {
                    self.progress.rest(stream);
                    failed.push((stream, error));
                }
            }
        }
        if failed.len() == count
            && let Some((_, error)) = failed.pop()
        {
            return Err(error);
        }
        for (stream, error) in failed {
            tracing::warn!(lane = stream.column(), %error, "cannot read the feed of a lane");
        }
        // The first entries of all feeds, then the second ones, and so on: wherever the list is cut off, no feed falls behind.
        rows.sort_unstable_by_key(|WrittenEntry { id, .. }| {
            (id.number - after.get(id.stream), id.stream)
        });
        Ok(FeedPage { entries: number(after, rows), is_last })
    }

    /// The feeds that may have entries after a position, and up to where to read them.
    async fn grown(&self, after: &FeedPosition, until: Option<&FeedPosition>) -> Vec<(Lane, u64)> {
        let streams: Vec<Lane> =
            self.db.layout().streams().filter(|it| !self.progress.is_resting(*it)).collect();
        let ends: Vec<(Lane, u64)> = match until {
            Some(until) => streams.into_iter().map(|it| (it, until.get(it))).collect(),
            None => match postgres::heads(&self.db.prompt(), &streams).await {
                Ok(heads) => heads,
                // One node is enough to fail this. Those that answer are found one by one.
                Err(error) => {
                    tracing::debug!(%error, "cannot read how far the feeds are");
                    streams.into_iter().map(|it| (it, u64::MAX)).collect()
                }
            },
        };
        ends.into_iter().filter(|(stream, end)| *end > after.get(*stream)).collect()
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
        let streams = self.db.layout().streams().count();
        let end = i16::try_from(streams).expect("there are at most 1,024 lanes");
        let sql = "SELECT pos FROM lanes WHERE lane < $1 ORDER BY lane";
        let rows = self.db.query_all_raw(self.statement(sql, [end.into()])).await?;
        if rows.len() != streams {
            return Err(Error::Failed("the counter of a feed is missing".to_owned()));
        }
        let numbers = rows.iter().map(|row| unsigned(row.try_get("", "pos")?));
        Ok(FeedPosition::new(numbers.collect::<Result<_>>()?))
    }
}

/// Gives each entry the position after it.
fn number(after: &FeedPosition, rows: Vec<WrittenEntry>) -> Vec<FeedEntry> {
    let mut reached = after.clone();
    let entry = |WrittenEntry { id, commits }| {
        reached.set(id);
        FeedEntry { id, pos: reached.clone(), commits }
    };
    rows.into_iter().map(entry).collect()
}

/// The key of a commit as an entry of the feed holds it.
pub(super) fn encode_key(commit: &Commit) -> impl Iterator<Item = u8> {
    key_bytes(commit.match_id, commit.seq)
}

fn key_bytes(match_id: Uuid, seq: u64) -> impl Iterator<Item = u8> {
    match_id.into_bytes().into_iter().chain(seq.to_be_bytes())
}

/// The keys in an entry; nothing if it ends within one.
fn decode_keys(bytes: &[u8]) -> Option<Vec<(Uuid, u64)>> {
    let (keys, rest) = bytes.as_chunks::<KEY>();
    let keys = keys.iter().map(|key| {
        let (id, seq) = key.split_at(16);
        let id = u128::from_be_bytes(id.try_into().expect("16 of 24 bytes"));
        let seq = u64::from_be_bytes(seq.try_into().expect("the last 8 of 24 bytes"));
        (Uuid::from_u128(id), seq)
    });
    rest.is_empty().then(|| keys.collect())
}

fn read_entry(stream: Lane, row: &QueryResult) -> Result<WrittenEntry> {
    let number = unsigned(row.try_get("", "pos")?)?;
    let bytes: Vec<u8> = row.try_get("", "commits")?;
    let commits = decode_keys(&bytes)
        .ok_or_else(|| Error::Failed(format!("entry {number} of the feed ends within a key")))?;
    Ok(WrittenEntry { id: EntryId { stream, number }, commits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_as_it_was_written_and_nothing_else_is_an_entry() {
        let id = EntryId { stream: Lane::new(5).expect("a lane"), number: 7 };
        let commits = vec![(Uuid::from_u128(1), 0), (Uuid::from_u128(u128::MAX), u64::MAX)];
        let entry = WrittenEntry { id, commits };
        let bytes = entry.to_bytes();
        assert_eq!(WrittenEntry::from_bytes(&bytes), Some(entry));
        for cut in (0..bytes.len()).filter(|cut| *cut < 10 || (cut - 10) % KEY != 0) {
            assert_eq!(WrittenEntry::from_bytes(&bytes[..cut]), None, "{cut}");
        }
        assert_eq!(WrittenEntry::from_bytes(&[0xff; 10]), None, "there is no such lane");
    }
}
