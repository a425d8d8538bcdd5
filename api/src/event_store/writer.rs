//! The task that writes: everything that is waiting, in one transaction, in the order of the keys.

use std::{collections::HashSet, sync::Arc};

use domain::matches::Commit;
use sea_orm::{DatabaseConnection, DbBackend};
use sqlx::{PgPool, Postgres, SqlitePool, pool::PoolConnection};
use tokio::sync::{mpsc, oneshot};

use super::{AppendError, Appended, Company, postgres, sqlite, summary::Summary};

/// The largest batch.
const BATCH: usize = 2_000;
/// How often a batch is sent again when the connection was lost or the database gave up on it.
const TRIES: usize = 5;

/// A commit to be written, and what it changes besides the log.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) commit: Commit,
    pub(super) summary: Summary,
}

/// What is to happen when a commit stands in the log.
pub(super) struct Waiter {
    /// Whoever waits for the answer.
    pub(super) answer: oneshot::Sender<Result<Appended, AppendError>>,
    /// Runs before the answer, even if nobody waits for it any more.
    pub(super) then: Box<dyn FnOnce() + Send>,
}

/// Which commits of a batch stand in the log.
#[derive(Debug)]
pub(super) struct Written {
    /// Those with these hashes, a hash tells a commit from every other one that wanted its place; all if there are none.
    pub(super) only: Option<HashSet<Vec<u8>>>,
    /// Where the batch stands in the feed, on a shared store and if anything was written.
    pub(super) pos: Option<u64>,
}

impl Written {
    fn has(&self, commit: &Commit) -> bool {
        self.only.as_ref().is_none_or(|hashes| hashes.contains(commit.hash.as_slice()))
    }
}

/// Writes until nobody can send any more.
pub(super) async fn run(
    db: DatabaseConnection,
    mut queue: mpsc::Receiver<(Row, Waiter)>,
    company: Arc<Company>,
) {
    let size = metrics::histogram!("telar_batch_size");
    let mut waiting = Vec::with_capacity(BATCH);
    let mut desk = Desk::new(&db);
    while queue.recv_many(&mut waiting, BATCH).await > 0 {
        // Two replicas that take the same keys in the same order never wait for one another in a circle.
        waiting.sort_unstable_by_key(|(row, _)| (row.commit.match_id, row.commit.seq));
        let (batch, waiters): (Vec<Row>, Vec<Waiter>) = waiting.drain(..).unzip();
        let tell = if company.is_alone() { Tell::Nobody } else { Tell::Others };
        let written = desk.write(&batch, tell).await;
        size.record(f64::from(u32::try_from(batch.len()).unwrap_or(u32::MAX)));
        for (row, waiter) in batch.iter().zip(waiters) {
            let fate = match &written {
                Ok(written) if written.has(&row.commit) => {
                    (waiter.then)();
                    Ok(Appended::Written)
                }
                Ok(_) => Ok(Appended::Lost),
                Err(error) => Err(AppendError::Store(error.to_string())),
            };
            // Whoever no longer waits finds the commit by its command id later.
            let _ = waiter.answer.send(fate);
        }
        if let Ok(Written { pos: Some(pos), .. }) = written {
            company.wrote(pos);
        }
    }
}

/// Who is told that the feed of a shared store has grown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tell {
    /// Whoever follows it.
    Others,
    /// Nobody but us follows it, and we know.
    Nobody,
}

/// Where batches are written.
#[derive(Debug)]
pub(super) enum Desk {
    /// Always through the same connection, as long as it lasts: there the statement is prepared and its plan is warm.
    Postgres(PgPool, Option<PoolConnection<Postgres>>),
    /// The file has one writer at a time anyway.
    Sqlite(SqlitePool),
}

impl Desk {
    pub(super) fn new(db: &DatabaseConnection) -> Self {
        match db.get_database_backend() {
            DbBackend::Postgres => Self::Postgres(db.get_postgres_connection_pool().clone(), None),
            _ => Self::Sqlite(db.get_sqlite_connection_pool().clone()),
        }
    }

    /// Writes a batch, sorted by its keys; which commits of it stand in the log afterwards.
    pub(super) async fn write(
        &mut self,
        batch: &[Row],
        tell: Tell,
    ) -> Result<Written, sqlx::Error> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.try_once(batch, tell).await {
                // A commit that was lost together with the connection may well be written: sent again, the key decides.
                Err(error) if tries < TRIES && is_passing(&error) => {
                    metrics::counter!("telar_batches_sent_again_total").increment(1);
                    tracing::warn!(%error, "a batch is sent again");
                }
                answer => return answer,
            }
        }
    }

    async fn try_once(&mut self, batch: &[Row], tell: Tell) -> Result<Written, sqlx::Error> {
        match self {
            Self::Sqlite(pool) => sqlite::write(pool, batch).await,
            Self::Postgres(pool, kept) => {
                let mut connection = match kept.take() {
                    Some(connection) => connection,
                    None => pool.acquire().await?,
                };
                let written = postgres::write(&mut connection, batch, tell).await?;
                // Kept only if nothing went wrong with it.
                *kept = Some(connection);
                Ok(written)
            }
        }
    }
}

/// Serialisation failures, deadlocks and lost connections: the same batch may well go through the next time.
fn is_passing(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => {
            matches!(error.code().as_deref(), Some("40001" | "40P01" | "57P01" | "5" | "517"))
        }
        _ => false,
    }
}
