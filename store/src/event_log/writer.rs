//! The writer: writes all waiting commits in one transaction, in the order of their keys.

use std::{collections::HashSet, pin::pin};

use domain::matches::Commit;
use sea_orm::DbBackend;
use sqlx::{PgPool, Postgres, SqlitePool, pool::PoolConnection};
use tokio::sync::{mpsc, oneshot};

use super::{
    AppendError, Appended, FeedPosition, FeedProgress, postgres, seeds, sqlite, summary::Summary,
};
use crate::{Db, encryption::StorageKeys};

/// The largest batch.
const BATCH: usize = 2_000;
/// How often a batch is sent again after a lost connection or a serialisation failure.
const TRIES: usize = 5;

/// A commit to be written, and what it changes besides the log.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) commit: Commit,
    pub(super) summary: Summary,
    /// The payload as it is stored, where that is not the payload of the commit.
    hidden: Option<String>,
}

impl Row {
    pub(super) fn new(commit: Commit, summary: Summary, keys: &StorageKeys) -> Self {
        let hidden = seeds::hide(keys, &commit);
        Self { commit, summary, hidden }
    }

    /// The payload as it is stored.
    pub(super) fn payload(&self) -> &str {
        self.hidden.as_deref().unwrap_or(&self.commit.payload)
    }
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
    /// Those with these hashes, or all of them. A hash tells a commit from every other one with the same key.
    pub(super) only: Option<HashSet<Vec<u8>>>,
    /// The position of the batch in the feed, on a shared store and if anything was written.
    pub(super) pos: Option<FeedPosition>,
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
                // Waiting commits are still written; no more are accepted.
                queue.close();
                stopping = true;
                continue;
            }
        };
        if taken == 0 {
            return;
        }
        // Replicas that lock keys in the same order cannot deadlock.
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
    /// Always uses the same connection while it lasts, because its statements are prepared.
    Postgres(PgPool, Option<PoolConnection<Postgres>>),
    /// The file has one writer at a time anyway.
    Sqlite(SqlitePool),
}

impl BatchWriter {
    pub(super) fn new(db: &Db) -> Self {
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
                // The transaction may have been committed just before the connection was lost. The batch is sent again, and
                // the keys decide.
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
            Self::Postgres(pool, idle) => {
                let mut connection = match idle.take() {
                    Some(connection) => connection,
                    None => pool.acquire().await?,
                };
                let written = postgres::write(&mut connection, batch, audience).await?;
                // Used again only if nothing went wrong with it.
                *idle = Some(connection);
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
