//! Rebuilding all statistics from the log, next to the rows that are read, while servers run; and switching over at the end.

use std::time::Duration;

use store::{Db, EventLog, event_log::FeedPosition, statistics};

use super::{
    book::Book,
    ended::{ENTRIES, EndedMatches},
    record::Record,
};
use crate::{error::Error, feed::read_batch};

/// Append-only rows are written when there are this many.
const APPENDED: usize = 50_000;
/// Rows that may change again stay in memory until there are this many.
const CACHED: usize = 400_000;

/// How many records are kept until they are counted.
const WINDOW: usize = 4_000;

/// The result of a rebuild.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebuilt {
    /// How many matches were counted.
    pub matches: u64,
    /// How much of the feed is included.
    pub position: FeedPosition,
}

/// Why a rebuild failed.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// The store failed, or its content cannot be read.
    #[error(transparent)]
    Failed(#[from] Error),
    /// A later rebuild has begun.
    #[error("another rebuild was started; this one gives way")]
    Overtaken,
}

impl From<store::Error> for RebuildError {
    fn from(error: store::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Rebuilds all statistics and switches over. Old rows are removed after a grace period, since requests may still read them.
pub async fn rebuild(log: &EventLog, grace: Duration) -> Result<Rebuilt, RebuildError> {
    let db = log.database();
    let generation = statistics::new_generation(db).await?;
    remove_others(db, generation).await?;
    let mut reader = RecordReader::new(log);
    let mut book = Book::blank(generation);
    let mut window = Window::default();
    let mut next = reader.read().await?;
    while let Some(records) = next {
        let records = window.pass(records);
        // While one batch is counted and written, the next one is read.
        let (read, counted) = tokio::join!(reader.read(), count(db, &mut book, records));
        counted?;
        next = read?;
    }
    count(db, &mut book, window.records).await?;
    settle(db, &mut book).await?;
    book.write(db).await?;
    // The lock keeps everybody else from counting until the switch.
    let work = store::begin(db).await?;
    let old = statistics::lock(&work).await?;
    if old.last_generation != generation {
        return Err(RebuildError::Overtaken);
    }
    while let Some(records) = reader.read().await? {
        book.count(&work, records).await?;
    }
    while book.is_unsettled() {
        book.settle_next(&work).await?;
    }
    book.write(&work).await?;
    statistics::advance(&work, generation, &reader.position, book.counted, None).await?;
    store::commit(work).await?;
    if old.counted > 0 {
        tokio::time::sleep(grace).await;
    }
    remove_others(db, generation).await?;
    let matches = u64::try_from(book.counted).expect("matches are counted from 0");
    Ok(Rebuilt { matches, position: reader.position })
}

/// The last records that were read. The feed is nearly in the order in which matches ended, so that they can be put in order here
/// instead of being settled afterwards.
#[derive(Default)]
struct Window {
    records: Vec<Record>,
}

impl Window {
    /// Adds records, and takes out the older half if there are too many.
    fn pass(&mut self, records: Vec<Record>) -> Vec<Record> {
        self.records.extend(records);
        if self.records.len() < WINDOW {
            return Vec::new();
        }
        self.records.sort_unstable_by_key(|record| (record.ended_at, record.match_id));
        let newer = self.records.split_off(self.records.len() / 2);
        std::mem::replace(&mut self.records, newer)
    }
}

/// Reads records from the start of the feed on.
struct RecordReader<'a> {
    log: &'a EventLog,
    ended: EndedMatches<'a>,
    /// How far the feed has been read.
    position: FeedPosition,
}

impl<'a> RecordReader<'a> {
    fn new(log: &'a EventLog) -> Self {
        Self { log, ended: EndedMatches::new(log), position: FeedPosition::START }
    }

    /// The records of the next batch; nothing at the end of the feed.
    async fn read(&mut self) -> Result<Option<Vec<Record>>, Error> {
        let entries = read_batch(self.log, &self.position, ENTRIES).await?;
        let Some(last) = entries.last() else { return Ok(None) };
        let records = self.ended.records(&entries).await?;
        self.position = last.pos.clone();
        Ok(Some(records))
    }
}

/// Counts matches. Nobody reads this generation yet, so it is written in many small parts.
async fn count(db: &Db, book: &mut Book, records: Vec<Record>) -> Result<(), RebuildError> {
    book.count(db, records).await?;
    spill(db, book).await
}

/// Settles all results.
async fn settle(db: &Db, book: &mut Book) -> Result<(), RebuildError> {
    while book.is_unsettled() {
        book.settle_next(db).await?;
        check(db, book.generation()).await?;
        spill(db, book).await?;
    }
    Ok(())
}

/// Writes what has accumulated, if it is much.
async fn spill(db: &Db, book: &mut Book) -> Result<(), RebuildError> {
    if book.cached() > CACHED {
        check(db, book.generation()).await?;
        book.write(db).await?;
        book.clear_cache();
    } else if book.appended() > APPENDED {
        check(db, book.generation()).await?;
        book.write_appended(db).await?;
    }
    Ok(())
}

async fn check(db: &Db, generation: i64) -> Result<(), RebuildError> {
    let newest = statistics::projection(db).await?.last_generation;
    if newest == generation { Ok(()) } else { Err(RebuildError::Overtaken) }
}

/// Removes the rows of generations that are neither read nor this one.
async fn remove_others(db: &Db, generation: i64) -> Result<(), RebuildError> {
    let removed = statistics::remove_other_generations(db, generation).await?;
    if removed { Ok(()) } else { Err(RebuildError::Overtaken) }
}
