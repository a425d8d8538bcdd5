//! The writer: everything that waits, in one transaction, in the order of the keys.

use std::{collections::HashSet, pin::pin};

use domain::matches::Commit;
use sea_orm::{DatabaseConnection, DbBackend};
use sqlx::{PgPool, Postgres, SqlitePool, pool::PoolConnection};
use tokio::sync::{mpsc, oneshot};

use super::{AppendError, Appended, FeedProgress, postgres, sqlite, summary::Summary};

/// The largest batch.
const BATCH: usize = 2_000;
/// How often a batch is sent again after a lost connection or a serialisation failure.
const TRIES: usize = 5;

/// A commit to be written, and what it changes besides the log.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) commit: Commit,
    pub(super) summary: Summary,
}

/// What happens when a commit is in the log.
pub(super) struct Waiter {
    /// Answers the caller.
    pub(super) answer: oneshot::Sender<Result<Appended, AppendError>>,
    /// Runs before the answer, even if the caller has gone away.
    pub(super) then: Box<dyn FnOnce() + Send>,
}

/// Which commits of a batch are in the log.
#[derive(Debug)]
pub(super) struct Written {
    /// Those with these hashes, or all of them. A hash tells a commit from every other one that wanted its place.
    pub(super) only: Option<HashSet<Vec<u8>>>,
    /// The position of the batch in the feed, on a shared store and if anything was written.
    pub(super) pos: Option<u64>,
}

impl Written {
    fn has(&self, commit: &Commit) -> bool {
        self.only.as_ref().is_none_or(|hashes| hashes.contains(commit.hash.as_slice()))
    }
}

/// Writes until `stop` resolves and nothing waits any more.
pub(super) async fn run(
    db: &DatabaseConnection,
    queue: &mut mpsc::Receiver<(Row, Waiter)>,
    progress: &FeedProgress,
    stop: impl Future<Output = ()>,
) {
    let size = metrics::histogram!("telar_batch_size");
    let mut waiting = Vec::with_capacity(BATCH);
    let mut writer = BatchWriter::new(db);
    let mut stop = pin!(stop);
    let mut stopping = false;
    loop {
        let taken = tokio::select! {
            biased;
            taken = queue.recv_many(&mut waiting, BATCH) => taken,
            () = &mut stop, if !stopping => {
                // What waits already is still written; nothing more is accepted.
                queue.close();
                stopping = true;
                continue;
            }
        };
        if taken == 0 {
            return;
        }
        // Two replicas that take the same keys in the same order never wait for one another in a circle.
        waiting.sort_unstable_by_key(|(row, _)| (row.commit.match_id, row.commit.seq));
        let (batch, waiters): (Vec<Row>, Vec<Waiter>) = waiting.drain(..).unzip();
        let audience = if progress.is_alone() { Audience::Nobody } else { Audience::Others };
        let written = writer.write(&batch, audience).await;
        size.record(f64::from(u32::try_from(batch.len()).expect("a batch has at most 2,000 rows")));
        for (row, waiter) in batch.iter().zip(waiters) {
            let fate = match &written {
                Ok(written) if written.has(&row.commit) => {
                    (waiter.then)();
                    Ok(Appended::Written)
                }
                Ok(_) => Ok(Appended::Lost),
                Err(error) => Err(AppendError::Unknown(error.to_string())),
            };
            // A caller that no longer waits finds the commit by its command id later.
            let _ = waiter.answer.send(fate);
        }
        if let Ok(Written { pos: Some(pos), .. }) = written {
            progress.wrote(pos);
        }
    }
}

/// Who is notified that the feed of a shared store has grown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    /// Every follower.
    Others,
    /// Nobody: only this process follows the feed, and it knows.
    Nobody,
}

/// Writes batches.
#[derive(Debug)]
pub(super) enum BatchWriter {
    /// Always uses the same connection, as long as it lasts: there the statement is prepared and its plan is warm.
    Postgres(PgPool, Option<PoolConnection<Postgres>>),
    /// The file has one writer at a time anyway.
    Sqlite(SqlitePool),
}

impl BatchWriter {
    pub(super) fn new(db: &DatabaseConnection) -> Self {
        match db.get_database_backend() {
            DbBackend::Postgres => Self::Postgres(db.get_postgres_connection_pool().clone(), None),
            _ => Self::Sqlite(db.get_sqlite_connection_pool().clone()),
        }
    }

    /// Writes a batch, sorted by its keys, and says which commits of it are in the log afterwards.
    pub(super) async fn write(
        &mut self,
        batch: &[Row],
        audience: Audience,
    ) -> Result<Written, sqlx::Error> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.try_once(batch, audience).await {
                // A commit that was lost together with the connection may have been written: sent again, the key decides.
                Err(error) if tries < TRIES && is_transient(&error) => {
                    metrics::counter!("telar_batches_sent_again_total").increment(1);
                    tracing::warn!(%error, "sending a batch again");
                }
                answer => return answer,
            }
        }
    }

    async fn try_once(
        &mut self,
        batch: &[Row],
        audience: Audience,
    ) -> Result<Written, sqlx::Error> {
        match self {
            Self::Sqlite(pool) => sqlite::write(pool, batch).await,
            Self::Postgres(pool, kept) => {
                let mut connection = match kept.take() {
                    Some(connection) => connection,
                    None => pool.acquire().await?,
                };
                let written = postgres::write(&mut connection, batch, audience).await?;
                // Kept only if nothing went wrong with it.
                *kept = Some(connection);
                Ok(written)
            }
        }
    }
}

/// Serialisation failures, deadlocks and lost connections: the same batch may well succeed the next time.
fn is_transient(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => {
            matches!(error.code().as_deref(), Some("40001" | "40P01" | "57P01" | "5" | "517"))
        }
        _ => false,
    }
}
