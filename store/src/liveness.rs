//! Connections to Postgres that are dead without anybody having been told, because a host vanished or a router forgot them.
//!
//! The driver sets neither keep-alives nor timeouts, so a statement on such a connection would wait for ever. Here every
//! statement has to be answered in time, connections that were idle for a while are tested before they are used, and those that
//! a statement was abandoned on are tested before they are used again. One dead connection condemns all that were idle then.

use std::{
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use sea_orm::{DbErr, RuntimeErr};
use sqlx::{Connection, PgConnection, Postgres, pool::PoolOptions};

use crate::error::{Verdict, driver_error};

/// How long a statement may usually take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(6);
/// How long a connection may take to be made.
pub(crate) const CONNECT: Duration = Duration::from_secs(5);
/// How long a test of a connection may take.
const PING: Duration = Duration::from_secs(2);
/// A connection that was idle for less than this is used without a test.
const FRESH: Duration = Duration::from_secs(1);
/// For how long after a statement was abandoned connections are tested when they come back to the pool.
const WARY: Duration = Duration::from_secs(5);

/// What is known about the connections of a pool.
#[derive(Debug)]
pub(crate) struct Liveness {
    /// How long a statement may take.
    patience: Duration,
    /// When a connection was last found dead.
    dead: Mutex<Option<Instant>>,
    /// When a statement was last abandoned before it was answered.
    abandoned: Mutex<Option<Instant>>,
}

impl Liveness {
    /// Nothing is known yet about connections on which a statement may take this long.
    pub(crate) fn new(patience: Duration) -> Self {
        Self { patience, dead: Mutex::default(), abandoned: Mutex::default() }
    }

    /// Tests the connections of a pool. The driver tests each one that comes back, too, but without a limit.
    pub(crate) fn watch(self: &Arc<Self>, options: PoolOptions<Postgres>) -> PoolOptions<Postgres> {
        let (before, after) = (Arc::clone(self), Arc::clone(self));
        options
            .before_acquire(move |connection, meta| {
                let liveness = Arc::clone(&before);
                Box::pin(async move {
                    if liveness.is_condemned(meta.idle_for) {
                        return Ok(false);
                    }
                    let is_alive = meta.idle_for < FRESH || answers(connection).await;
                    if !is_alive {
                        liveness.found_dead();
                    }
                    Ok(is_alive)
                })
            })
            .after_release(move |connection, _| {
                let liveness = Arc::clone(&after);
                // One that does not answer may just be busy with what nobody waits for any more.
                Box::pin(async move { Ok(!liveness.is_wary() || answers(connection).await) })
            })
    }

    /// Waits for the answer to a statement, but not for ever. Says what became of the statement only as far as it is known: an
    /// error of the driver that means [`Verdict::Lost`].
    pub(crate) async fn answer<T>(
        &self,
        statement: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        let mut statement = pin!(statement);
        // Dropped before the statement is, so that its connection is tested when it comes back to the pool.
        let mut pending = Pending { liveness: self, is_over: false };
        let answer = tokio::time::timeout(self.patience, statement.as_mut()).await;
        pending.is_over = answer.is_ok();
        drop(pending);
        let answer =
            answer.unwrap_or_else(|_| Err(DbErr::Exec(RuntimeErr::SqlxError(silence().into()))));
        let error = answer.as_ref().err().and_then(driver_error);
        if error.is_some_and(|error| Verdict::of(error).is_dead()) {
            self.found_dead();
        }
        answer
    }

    /// Notes that a connection is dead: all that are idle now are not used again.
    fn found_dead(&self) {
        let known = self.dead.lock().replace(Instant::now());
        if known.is_none_or(|at| at.elapsed() > WARY) {
            tracing::warn!("a connection to the store is dead; replacing idle connections");
        }
    }

    /// Whether a connection has been idle since before another one was found dead.
    fn is_condemned(&self, idle_for: Duration) -> bool {
        self.dead.lock().is_some_and(|at| at.elapsed() < idle_for)
    }

    /// Whether a statement was abandoned recently.
    fn is_wary(&self) -> bool {
        self.abandoned.lock().is_some_and(|at| at.elapsed() < WARY)
    }
}

/// A connection that does not answer.
pub(crate) fn silence() -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, "no answer in time"))
}

/// Whether a connection answers in time.
pub(crate) async fn answers(connection: &mut PgConnection) -> bool {
    matches!(tokio::time::timeout(PING, connection.ping()).await, Ok(Ok(())))
}

/// Whether a connection that was last used then should be tested before it is used again.
pub(crate) fn is_stale(used: Instant) -> bool {
    used.elapsed() >= FRESH
}

/// A statement that has not been answered.
struct Pending<'a> {
    liveness: &'a Liveness,
    is_over: bool,
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            *self.liveness.abandoned.lock() = Some(Instant::now());
        }
    }
}
