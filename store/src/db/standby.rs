//! A standby: a second Postgres that replays the log of the primary, and answers reads in its place.
//!
//! Nobody may notice which of the two has answered. What never changes may be read from the standby at any time. Everything else
//! is read there only after the standby has replayed what the primary had committed when the read began. The primary answers
//! everything that the standby cannot.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};

use super::Db;
use crate::error::{Outage, Verdict, driver_error};

/// How long a read waits for the standby to catch up.
const WAIT: Duration = Duration::from_millis(50);
/// How long it pauses between two looks.
const PAUSE: Duration = Duration::from_millis(2);
/// How long the primary may take to say how far its log is.
const POSITION: Duration = Duration::from_secs(1);
/// How long a standby that has failed is left alone.
const REST: Duration = Duration::from_secs(3);

/// The cluster and the database. A standby has the same as its primary.
const IDENTITY: &str = "SELECT pg_is_in_recovery() AS recovering, system_identifier || '/' || \
    (SELECT oid FROM pg_database WHERE datname = current_database()) AS identity FROM pg_control_system()";

/// A position in the log that includes every transaction that others can see. Without synchronous commits, transactions are seen
/// before they are flushed.
const COMMITTED: &str = "SELECT (CASE current_setting('synchronous_commit') WHEN 'off' \
    THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END - '0/0')::bigint AS position";

/// How far a standby has replayed the log; nothing if it has been promoted.
const REPLAYED: &str = "SELECT CASE WHEN pg_is_in_recovery() \
    THEN (pg_last_wal_replay_lsn() - '0/0')::bigint END AS position";

/// What a standby is good for at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandbyState {
    /// It follows the primary closely and answers reads.
    Current,
    /// It answers, but what the primary commits arrives late: only what never changes is read from it.
    Behind,
    /// It does not answer, or is not a standby of the primary: nothing is read from it.
    Down,
}

impl StandbyState {
    /// Its name.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Behind => "behind",
            Self::Down => "down",
        }
    }
}

/// A standby and what is known about it.
#[derive(Debug)]
pub(crate) struct Standby {
    db: Db,
    /// The identity of the primary.
    identity: String,
    state: Mutex<(StandbyState, Option<Instant>)>,
}

/// What is wrong with a standby.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// The server is not a standby of the primary.
    #[error("it is not a standby of the primary")]
    Foreign,
    /// It failed.
    #[error("{0}")]
    Failed(#[from] DbErr),
    /// The primary failed, which says nothing about the standby.
    #[error("the primary does not answer")]
    Primary,
}

impl Standby {
    /// A standby of this primary, which has to be checked before it is used.
    pub(crate) async fn of(primary: &Db, db: Db) -> Result<Self, DbErr> {
        let (identity, _) = identify(primary).await?;
        Ok(Self { db, identity, state: Mutex::new((StandbyState::Down, None)) })
    }

    pub(crate) const fn db(&self) -> &Db {
        &self.db
    }

    pub(crate) fn state(&self) -> StandbyState {
        self.state.lock().0
    }

    /// Whether the standby answers reads of what never changes.
    pub(crate) fn is_up(&self) -> bool {
        let is_up = self.state() != StandbyState::Down;
        count(if is_up { Ok(()) } else { Err("down") });
        is_up
    }

    /// Whether the standby has everything that the primary had committed before this call.
    pub(crate) async fn has_all_of(&self, primary: &Db) -> bool {
        let answered = match self.state() {
            StandbyState::Current => match self.catches_up(primary).await {
                Ok(true) => Ok(()),
                Ok(false) => {
                    self.enter(StandbyState::Behind, "it replays too slowly");
                    Err("behind")
                }
                Err(trouble) => {
                    self.note(&trouble);
                    Err(if matches!(trouble, Trouble::Primary) { "primary" } else { "failed" })
                }
            },
            StandbyState::Behind => Err("behind"),
            StandbyState::Down => Err("down"),
        };
        count(answered);
        answered.is_ok()
    }

    /// Finds out what the standby is good for. One that has failed is left alone for a while.
    pub(crate) async fn check(&self, primary: &Db) -> Result<(), Trouble> {
        let (state, since) = *self.state.lock();
        let is_resting = since.is_some_and(|since| since.elapsed() < REST);
        if state == StandbyState::Down && is_resting {
            return Ok(());
        }
        let checked = match self.recognise().await {
            Ok(()) => self.catches_up(primary).await,
            Err(trouble) => Err(trouble),
        };
        match checked {
            Ok(true) => self.enter(StandbyState::Current, "it has caught up"),
            Ok(false) => self.enter(StandbyState::Behind, "it replays too slowly"),
            Err(trouble) => {
                self.note(&trouble);
                return Err(trouble);
            }
        }
        Ok(())
    }

    /// Notes that a read failed there, which the primary answers instead.
    pub(super) fn failed(&self, error: &DbErr) {
        count(Err("failed"));
        let is_away = matches!(
            driver_error(error).map(Verdict::of),
            Some(
                Verdict::Lost
                    | Verdict::NodeLost
                    | Verdict::Ended
                    | Verdict::Unavailable(Outage::Unreachable)
            )
        );
        if is_away {
            self.enter(StandbyState::Down, &error.to_string());
        } else {
            // It works, but not for this statement: replaying got in its way, or all connections are taken.
            tracing::debug!(%error, "a read failed on the standby");
        }
    }

    fn note(&self, trouble: &Trouble) {
        match trouble {
            Trouble::Primary => {}
            Trouble::Foreign | Trouble::Failed(_) => {
                self.enter(StandbyState::Down, &trouble.to_string());
            }
        }
    }

    fn enter(&self, state: StandbyState, reason: &str) {
        let before = std::mem::replace(&mut *self.state.lock(), (state, Some(Instant::now()))).0;
        match state {
            _ if state == before => {}
            StandbyState::Down => tracing::warn!(reason, "the standby is down"),
            StandbyState::Behind | StandbyState::Current => {
                tracing::info!(reason, "the standby is {}", state.id());
            }
        }
    }

    async fn recognise(&self) -> Result<(), Trouble> {
        let (identity, is_recovering) = identify(&self.db).await?;
        if is_recovering && identity == self.identity { Ok(()) } else { Err(Trouble::Foreign) }
    }

    /// Waits a moment until the standby has what the primary has committed, and says whether it has.
    async fn catches_up(&self, primary: &Db) -> Result<bool, Trouble> {
        let committed = tokio::time::timeout(POSITION, position(primary, COMMITTED));
        // Both at once: a standby never goes back, so it may well answer first.
        let (committed, mut replayed) = tokio::join!(committed, position(&self.db, REPLAYED));
        let Ok(Ok(committed)) = committed else { return Err(Trouble::Primary) };
        let waiting = Instant::now();
        loop {
            // A server that has been promoted is no standby any more.
            let replayed_now = replayed?.ok_or(Trouble::Foreign)?;
            if Some(replayed_now) >= committed {
                return Ok(true);
            }
            if waiting.elapsed() >= WAIT {
                return Ok(false);
            }
            tokio::time::sleep(PAUSE).await;
            replayed = position(&self.db, REPLAYED).await;
        }
    }
}

/// Counts a read that the standby answers, or why it does not.
fn count(answered: Result<(), &'static str>) {
    match answered {
        Ok(()) => metrics::counter!("telar_standby_reads_total").increment(1),
        Err(reason) => {
            metrics::counter!("telar_standby_fallbacks_total", "reason" => reason).increment(1);
        }
    }
}

async fn identify(db: &Db) -> Result<(String, bool), DbErr> {
    let row = db.query_one_raw(Statement::from_string(DbBackend::Postgres, IDENTITY)).await?;
    let row = row.expect("a query without a condition has a row");
    Ok((row.try_get("", "identity")?, row.try_get("", "recovering")?))
}

async fn position(db: &Db, sql: &str) -> Result<Option<i64>, DbErr> {
    let row = db.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
    row.expect("a query without a condition has a row").try_get("", "position")
}
