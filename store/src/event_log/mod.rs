//! The log of all matches. Nothing outside this module runs SQL on commits.
//!
//! The primary key (lane, match, sequence number) is the compare-and-swap: of two commits for the same place one is written, and
//! the other is reported as lost. One writer takes everything that waits and writes it in one transaction, together with
//! the summaries of the matches and an entry in the ordered feed; only then are the callers answered.

use std::sync::Arc;

use domain::{
    matches::{Commit, Match},
    seat::SeatSet,
    time::Timestamp,
};
use sea_orm::{DbBackend, Statement, Value};
use tokio::sync::{Mutex, mpsc, oneshot};
use uuid::Uuid;

use crate::{
    Archive, Connection, Db,
    encryption::StorageKeys,
    error::{Error, Result},
    lane::Lane,
    layout::Feeds,
    signatures,
};

mod archived;
mod commits;
mod due;
mod feed;
#[cfg(test)]
mod full_disk_tests;
mod lane_writer;
mod listener;
mod position;
mod postgres;
mod progress;
mod seeds;
mod sqlite;
mod summary;
mod writer;
#[cfg(test)]
mod writer_tests;

pub use archived::{Archivable, Moved};
pub use commits::WAITS_FOR_SEAT;
pub use feed::{FeedEntry, FeedPage, WrittenEntry};
pub(crate) use listener::SESSION as FEED_SESSION;
pub use listener::{FeedListener, FeedSignal};
pub use position::{BadPosition, EntryId, FeedPosition};
pub use progress::FeedProgress;
use summary::Summary;
use writer::{Audience, BatchWriter, Row, Waiter};

/// How many commits may wait to be written; more are refused at once.
const QUEUE: usize = 8_192;

/// How many matches one query names.
const IDS: usize = 500;

/// The log.
#[derive(Debug, Clone)]
pub struct EventLog {
    db: Db,
    keys: StorageKeys,
    archive: Archive,
    backend: DbBackend,
    queue: mpsc::Sender<(Row, Waiter)>,
    /// The other end of the queue. It outlives a failed writer: the next one writes what is waiting.
    waiting: Arc<Mutex<mpsc::Receiver<(Row, Waiter)>>>,
    progress: Arc<FeedProgress>,
}

/// A place in the queue of the writer.
#[derive(Debug)]
pub struct QueuePlace<'a> {
    permit: mpsc::Permit<'a, (Row, Waiter)>,
    log: &'a EventLog,
}

/// What became of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// It is in the log.
    Written,
    /// Another commit has its place.
    Lost,
}

/// What is certain about a commit that was to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is in the log.
    Written,
    /// The store could not write it.
    NotWritten,
}

/// A whole match, to be written at once.
#[derive(Debug)]
pub struct WholeMatch {
    /// Its log, oldest first.
    pub commits: Vec<Commit>,
    /// The match after them.
    pub end: Match,
}

/// The last commit of a match, in short.
#[derive(Debug, Clone)]
pub struct Head {
    /// The number of events.
    pub version: u64,
    /// The time of the last events.
    pub at: Timestamp,
    /// The hash of the last commit.
    pub hash: [u8; 32],
    /// The seats that the match waits for.
    pub waiting: SeatSet,
}

/// Why a commit was not written.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AppendError {
    /// The queue is full; nothing was written.
    #[error("too many commits wait to be written")]
    Busy,
    /// The store cannot be written to at the moment; nothing was written.
    #[error("{0}")]
    Unavailable(String),
    /// The store did not answer; whether the commit was written is unknown. The same commit may be sent again: its key
    /// decides.
    #[error("{0}")]
    Unknown(String),
}

impl EventLog {
    /// The log in this database, which these keys encrypt. Commits are written while [`Self::run_writer`] runs.
    #[must_use]
    pub fn new(db: Db, keys: StorageKeys) -> Self {
        let backend = db.get_database_backend();
        let (queue, waiting) = mpsc::channel(QUEUE);
        let waiting = Arc::new(Mutex::new(waiting));
        let archive = Archive::new(None);
        Self { db, keys, archive, backend, queue, waiting, progress: Arc::default() }
    }

    /// The same log for long work outside of requests: statements may take as long as they like.
    #[must_use]
    pub fn patient(mut self) -> Self {
        self.db = self.db.patient();
        self
    }

    /// The same log, read from this database.
    #[must_use]
    pub fn read_from(&self, db: Db) -> Self {
        Self { db, ..self.clone() }
    }

    /// The same log at a place that may lack the latest commits; nothing if there is no such place. What is missing there is in
    /// this one.
    #[must_use]
    pub fn stable_reader(&self) -> Option<Self> {
        self.db.stable_reader().map(|db| self.read_from(db))
    }

    /// Writes what is appended, until `stop` resolves and the queue is empty. One writer runs at a time.
    pub async fn run_writer(&self, stop: impl Future<Output = ()>) {
        let mut waiting = self.waiting.lock().await;
        match self.db.layout().feeds {
            Feeds::Shared => writer::run(&self.db, &mut waiting, &self.progress, stop).await,
            Feeds::PerLane => lane_writer::run(&self.db, &mut waiting, &self.progress, stop).await,
        }
    }

    /// Whether other processes may write to the same log.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.backend == DbBackend::Postgres
    }

    /// The database behind the log.
    #[must_use]
    pub fn database(&self) -> &Db {
        &self.db
    }

    /// The keys of the store.
    #[must_use]
    pub fn keys(&self) -> &StorageKeys {
        &self.keys
    }

    /// How far the feed is known in this process.
    #[must_use]
    pub fn progress(&self) -> &FeedProgress {
        &self.progress
    }

    /// How many places in the queue of the writer are taken.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    /// Takes a place in the queue of the writer, which a commit needs to be written.
    pub fn reserve(&self) -> Result<QueuePlace<'_>, AppendError> {
        let permit = self.queue.try_reserve().map_err(|_| AppendError::Busy)?;
        Ok(QueuePlace { permit, log: self })
    }

    /// Takes a place in the queue and writes a commit; see [`QueuePlace::append`].
    pub async fn append(
        &self,
        commit: Commit,
        before: Option<&Match>,
        after: &Match,
        then: impl FnOnce(Fate) + Send + 'static,
    ) -> Result<Appended, AppendError> {
        self.reserve()?.append(commit, before, after, then).await
    }

    /// Writes whole logs at once, past the queue. A log that is already stored counts as written. If another log is stored
    /// under the same id, nothing of the new one is written, and it is lost.
    pub async fn import(&self, logs: Vec<WholeMatch>) -> Result<Vec<Appended>> {
        let ids: Vec<Uuid> = logs.iter().map(|log| log.end.id()).collect();
        let stored = self.heads(&ids).await?;
        let fates = logs.iter().map(|log| match stored.get(&log.end.id()) {
            Some(head) if head.hash != *log.end.hash() => Appended::Lost,
            _ => Appended::Written,
        });
        let fates: Vec<Appended> = fates.collect();
        let new: Vec<WholeMatch> =
            logs.into_iter().filter(|log| !stored.contains_key(&log.end.id())).collect();
        // First, so that nobody takes one of them for a match that was played here.
        let ids: Vec<Uuid> = new.iter().map(|log| log.end.id()).collect();
        signatures::mark_imported(&self.db, &ids).await?;
        let mut rows: Vec<Row> = new
            .into_iter()
            .flat_map(|WholeMatch { commits, end }| {
                let last = commits.len().saturating_sub(1);
                commits.into_iter().enumerate().map(move |(index, commit)| {
                    let summary =
                        if index == last { Summary::of(None, &end) } else { Summary::unchanged() };
                    self.row(commit, summary)
                })
            })
            .collect();
        rows.sort_unstable_by_key(Row::key);
        let mut writer = BatchWriter::new(&self.db);
        for rows in rows.chunk_by(|one, next| self.stream_of(one) == self.stream_of(next)) {
            writer.write(rows, Audience::Others).await?;
        }
        Ok(fates)
    }

    fn statement<const N: usize>(&self, sql: &str, values: [Value; N]) -> Statement {
        Statement::from_sql_and_values(self.backend, sql, values)
    }

    /// A statement about these matches, whose lanes and ids it names as [`places`] does.
    fn list(&self, sql: &str, ids: &[Uuid]) -> Statement {
        let keys = ids.iter().flat_map(|id| [self.lane_column(*id), Value::from(*id)]);
        Statement::from_sql_and_values(self.backend, sql, keys)
    }

    /// The lane of a match, as a value of a statement.
    fn lane_column(&self, match_id: Uuid) -> Value {
        self.db.lanes().of(match_id).column().into()
    }

    /// The feed that names a commit.
    fn stream_of(&self, row: &Row) -> Lane {
        self.db.layout().stream_of(row.lane)
    }

    fn row(&self, commit: Commit, summary: Summary) -> Row {
        Row::new(self.db.lanes().of(commit.match_id), commit, summary, &self.keys)
    }
}

impl QueuePlace<'_> {
    /// Writes a commit and the changed summaries of its match. `then` runs as soon as the fate of the commit is certain, even
    /// if the caller has gone away by then. If it is dropped without having run, another commit has the place in the log, or
    /// the fate of this one is unknown.
    pub async fn append(
        self,
        commit: Commit,
        before: Option<&Match>,
        after: &Match,
        then: impl FnOnce(Fate) + Send + 'static,
    ) -> Result<Appended, AppendError> {
        let (answer, written) = oneshot::channel();
        let row = self.log.row(commit, Summary::of(before, after));
        self.permit.send((row, Waiter { then: Box::new(then), answer }));
        written.await.map_err(|_| AppendError::Unknown("the writer has failed".to_owned()))?
    }
}

/// The placeholders of rows with this many columns: `($1, $2), ($3, $4), …`.
fn places(rows: usize, columns: usize) -> String {
    let row = |row| {
        let numbers = (1..=columns).map(|column| format!("${}", row * columns + column));
        format!("({})", numbers.collect::<Vec<_>>().join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// A sequence number or limit as the database stores it.
fn signed(number: u64) -> i64 {
    i64::try_from(number).expect("no match has 2^63 events, and no limit is that high")
}

/// A sequence number as the database stored it.
fn unsigned(number: i64) -> Result<u64> {
    u64::try_from(number).map_err(|_| Error::Failed(format!("{number} is not a sequence number")))
}

/// The number of events of a commit as the database stores it.
fn count_column(commit: &Commit) -> i32 {
    i32::try_from(commit.count).expect("a commit has fewer than 2^31 events")
}
