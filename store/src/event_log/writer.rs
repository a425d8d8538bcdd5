//! The writer: writes all waiting commits in one transaction, in the order of their keys.

use std::{
    collections::HashSet,
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

use domain::matches::Commit;
use sea_orm::DbBackend;
use sqlx::{Connection, PgConnection, SqlitePool, postgres::PgConnectOptions};
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use super::{
    AppendError, Appended, EntryId, Fate, FeedProgress, postgres, seeds, sqlite, summary::Summary,
};
use crate::{
    Connection as _, Db,
    encryption::StorageKeys,
    error::{Error, Outage, Verdict, describe},
    lane::Lane,
    layout::Feeds,
    liveness,
};

/// The largest batch.
pub(super) const BATCH: usize = 2_000;
/// For how long a batch is sent again after a lost connection or a serialisation failure; once at least.
pub(super) const LONGEST: Duration = Duration::from_secs(10);
/// The first pause before a batch is sent again; each further one is this much longer, up to a point.
const PAUSE: Duration = Duration::from_millis(10);
const PAUSES: u32 = 20;

/// A commit to be written, and what it changes besides the log.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) lane: Lane,
    pub(super) commit: Commit,
    pub(super) summary: Summary,
    /// The payload as it is stored, where that is not the payload of the commit.
    hidden: Option<String>,
}

impl Row {
    pub(super) fn new(lane: Lane, commit: Commit, summary: Summary, keys: &StorageKeys) -> Self {
        let hidden = seeds::hide(keys, &commit);
        Self { lane, commit, summary, hidden }
    }

    /// The key of the commit. Batches are sorted by it: replicas that lock keys in the same order cannot deadlock.
    pub(super) const fn key(&self) -> (Lane, Uuid, u64) {
        (self.lane, self.commit.match_id, self.commit.seq)
    }

    /// The payload as it is stored.
    pub(super) fn payload(&self) -> &str {
        self.hidden.as_deref().unwrap_or(&self.commit.payload)
    }
}

/// What happens when a commit is in the log.
pub(super) struct Waiter {
    /// Runs or is dropped before the answer, even if the caller has gone away.
    pub(super) then: Box<dyn FnOnce(Fate) + Send>,
    /// Answers the caller.
    pub(super) answer: oneshot::Sender<Result<Appended, AppendError>>,
}

/// Which commits of a batch are in the log.
#[derive(Debug)]
pub(super) struct Written {
    /// Those with these hashes, or all of them. A hash tells a commit from every other one with the same key.
    pub(super) only: Option<HashSet<Vec<u8>>>,
    /// The place of the batch in the feed, on a shared store and if anything was written.
    pub(super) pos: Option<EntryId>,
}

impl Written {
    /// Whether a commit is in the log.
    pub(super) fn has(&self, commit: &Commit) -> bool {
        self.only.as_ref().is_none_or(|hashes| hashes.contains(commit.hash.as_slice()))
    }
}

/// Writes until `stop` resolves and nothing waits any more.
pub(super) async fn run(
    db: &Db,
    queue: &mut mpsc::Receiver<(Row, Waiter)>,
    progress: &FeedProgress,
    stop: impl Future<Output = ()>,
) {
    let mut waiting = Vec::with_capacity(BATCH);
    let mut writer = BatchWriter::new(db);
    let mut stop = pin!(stop);
    let mut stopping = false;
    loop {
        let taken = tokio::select! {
            biased;
            taken = queue.recv_many(&mut waiting, BATCH) => taken,
            () = &mut stop, if !stopping => {
                // Waiting commits are still written; no more are accepted.
                queue.close();
                stopping = true;
                continue;
            }
        };
        if taken == 0 {
            return;
        }
        waiting.sort_unstable_by_key(|(row, _)| row.key());
        let (batch, waiters): (Vec<Row>, Vec<Waiter>) = waiting.drain(..).unzip();
        let audience = if progress.is_alone() { Audience::Nobody } else { Audience::Others };
        let written = writer.write(&batch, audience).await;
        record_size(batch.len());
        let written = written.map_err(AppendError::from);
        answer(&batch, waiters, &written);
        if let Ok(written) = &written {
            progress.wrote(&batch, written);
        }
    }
}

/// Notes the size of a batch that has been dealt with.
pub(super) fn record_size(size: usize) {
    let size = f64::from(u32::try_from(size).expect("a batch has at most 2,000 rows"));
    metrics::histogram!("telar_batch_size").record(size);
}

/// Tells those who wait for the commits of a batch what has become of them.
pub(super) fn answer(batch: &[Row], waiters: Vec<Waiter>, written: &Result<Written, AppendError>) {
    for (row, Waiter { then, answer }) in batch.iter().zip(waiters) {
        let fate = match written {
            Ok(written) if written.has(&row.commit) => Ok(Appended::Written),
            Ok(_) => Ok(Appended::Lost),
            Err(error) => Err(error.clone()),
        };
        match fate {
            Ok(Appended::Written) => then(Fate::Written),
            Err(AppendError::Unavailable(_) | AppendError::Busy) => then(Fate::NotWritten),
            _ => drop(then),
        }
        // A caller that no longer waits finds the commit by its command id later.
        let _ = answer.send(fate);
    }
}

/// The pause before a batch is sent again, after this many failures.
pub(super) fn back_off(tries: u32) -> Duration {
    PAUSE * tries.min(PAUSES)
}

/// Who is notified that the feed of a shared store has grown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    /// Every follower.
    Others,
    /// Nobody: only this process follows the feed, and it knows.
    Nobody,
}

/// Why a batch was not written.
#[derive(Debug)]
pub(super) struct WriteError {
    pub(super) error: sqlx::Error,
    /// Whether it may have been written all the same.
    pub(super) may_be_written: bool,
}

impl From<WriteError> for AppendError {
    fn from(WriteError { error, may_be_written }: WriteError) -> Self {
        let text = describe(&error);
        if may_be_written { Self::Unknown(text) } else { Self::Unavailable(text) }
    }
}

impl From<WriteError> for Error {
    fn from(WriteError { error, may_be_written }: WriteError) -> Self {
        match Self::from(&error) {
            Self::Unknown(text) if !may_be_written => Self::Unavailable(Outage::Unreachable, text),
            Self::Unavailable(_, text) if may_be_written => Self::Unknown(text),
            error => error,
        }
    }
}

/// One failed attempt to write a batch.
#[derive(Debug)]
pub(super) struct Attempt {
    pub(super) error: sqlx::Error,
    /// Whether the batch may have been written all the same.
    pub(super) is_lost: bool,
    /// Whether the next attempt may well succeed.
    pub(super) is_transient: bool,
}

/// Writes batches.
#[derive(Debug)]
pub(super) enum BatchWriter {
    /// Has a connection of its own, so that it depends on nobody who reads, and its statements stay prepared.
    Postgres {
        options: Arc<PgConnectOptions>,
        /// The connection, and when it was last used.
        idle: Option<(PgConnection, Instant)>,
        /// How long a batch may take.
        patience: Duration,
        feeds: Feeds,
    },
    /// The file has one writer at a time anyway.
    Sqlite(SqlitePool),
}

impl BatchWriter {
    pub(super) fn new(db: &Db) -> Self {
        match db.get_database_backend() {
            DbBackend::Postgres => Self::Postgres {
                options: db.get_postgres_connection_pool().connect_options(),
                idle: None,
                patience: db.liveness().map_or(Duration::MAX, |_| liveness::PATIENCE),
                feeds: db.layout().feeds,
            },
            _ => Self::Sqlite(db.get_sqlite_connection_pool().clone()),
        }
    }

    /// Writes a batch, sorted by its keys, and says which commits of it are in the log afterwards. All commits of a batch are
    /// named by the same feed.
    pub(super) async fn write(
        &mut self,
        batch: &[Row],
        audience: Audience,
    ) -> Result<Written, WriteError> {
        let started = Instant::now();
        let mut may_be_written = false;
        for tries in 1.. {
            let Attempt { error, is_lost, is_transient } = match self.attempt(batch, audience).await
            {
                Ok(written) => return Ok(written),
                Err(attempt) => attempt,
            };
            may_be_written |= is_lost;
            // The transaction may have been committed just before the connection was lost. The batch is sent again, and the
            // keys decide.
            if !is_transient || tries > 1 && started.elapsed() >= LONGEST {
                return Err(WriteError { error, may_be_written });
            }
            metrics::counter!("telar_batches_sent_again_total").increment(1);
            tracing::warn!(%error, "sending a batch again");
            tokio::time::sleep(back_off(tries)).await;
        }
        unreachable!("it is tried until it succeeds or is given up")
    }

    /// Tries to write a batch, once.
    pub(super) async fn attempt(
        &mut self,
        batch: &[Row],
        audience: Audience,
    ) -> Result<Written, Attempt> {
        // A connection that cannot be made has carried nothing.
        let (error, is_lost) = match self.connect().await {
            Ok(()) => match self.try_once(batch, audience).await {
                Ok(written) => return Ok(written),
                Err(error) => {
                    let is_lost = Verdict::of(&error).is_unconfirmed();
                    (error, is_lost)
                }
            },
            Err(error) => (error, false),
        };
        let is_transient = is_transient(&error);
        Err(Attempt { error, is_lost, is_transient })
    }

    /// Makes a connection if there is none, or none that still answers.
    async fn connect(&mut self) -> Result<(), sqlx::Error> {
        let Self::Postgres { options, idle, .. } = self else { return Ok(()) };
        if let Some((connection, used)) = idle
            && liveness::is_stale(*used)
            && !liveness::answers(connection).await
        {
            *idle = None;
        }
        if idle.is_none() {
            let connecting = PgConnection::connect_with(options);
            let made = tokio::time::timeout(liveness::CONNECT, connecting).await;
            *idle = Some((made.unwrap_or_else(|_| Err(liveness::silence()))?, Instant::now()));
        }
        Ok(())
    }

    async fn try_once(
        &mut self,
        batch: &[Row],
        audience: Audience,
    ) -> Result<Written, sqlx::Error> {
        match self {
            Self::Sqlite(pool) => sqlite::write(pool, batch).await,
            Self::Postgres { idle, patience, feeds, .. } => {
                // Used again only if nothing goes wrong with it.
                let (mut connection, _) = idle.take().expect("a connection was made");
                let writing = postgres::write(&mut connection, *feeds, batch, audience);
                let written = tokio::time::timeout(*patience, writing).await;
                let written = written.unwrap_or_else(|_| Err(liveness::silence()))?;
                *idle = Some((connection, Instant::now()));
                Ok(written)
            }
        }
    }
}

/// Serialisation failures, deadlocks, lost connections and a database that is about to come up: the same batch may well succeed
/// the next time.
fn is_transient(error: &sqlx::Error) -> bool {
    match Verdict::of(error) {
        Verdict::Lost | Verdict::NodeLost | Verdict::Ended | Verdict::Conflict => true,
        Verdict::Unavailable(outage) => outage == Outage::Unreachable,
        Verdict::Taken | Verdict::Refused => false,
    }
}
