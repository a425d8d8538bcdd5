//! Sessions that ended recently. Their access tokens are refused: at once on the replica that ended them, within a second on the
//! others, which ask the store that often.

use std::time::Duration;

use domain::time::Timestamp;
use parking_lot::Mutex;
use store::{Db, sessions};
use tokio::sync::watch;
use uuid::Uuid;

use super::recent::{REMEMBERED, RecentIds};
use crate::{clock::Clock, error::Result, tasks::Shutdown};

/// How often the store is asked for sessions that other replicas ended.
const POLL: Duration = Duration::from_secs(1);
/// How far an answer reaches back before the one before it, in microseconds: clocks differ, and a transaction becomes visible
/// only some time after it has read the clock.
const OVERLAP: i64 = 60 * 1_000_000;

/// Knows the sessions that ended recently.
#[derive(Debug)]
pub struct EndedSessions {
    db: Db,
    clock: Clock,
    recent: RecentIds,
    /// When the store was last asked.
    asked: Mutex<Option<Timestamp>>,
    changes: watch::Sender<()>,
}

impl EndedSessions {
    /// The ended sessions in this store.
    #[must_use]
    pub fn new(db: Db, clock: Clock) -> Self {
        let (recent, asked) = (RecentIds::default(), Mutex::default());
        Self { db, clock, recent, asked, changes: watch::Sender::new(()) }
    }

    /// Whether this session ended recently.
    #[must_use]
    pub fn has(&self, session: Uuid) -> bool {
        self.recent.has(session)
    }

    /// Waits until a session has ended.
    pub async fn ended(&self, session: Uuid) {
        let mut changes = self.changes.subscribe();
        while !self.has(session) {
            changes.changed().await.expect("the sender is held by `self`");
        }
    }

    /// Learns of sessions that ended.
    pub fn add(&self, sessions: impl IntoIterator<Item = Uuid>, at: Timestamp) {
        self.learn(sessions.into_iter().map(|session| (session, at)));
    }

    /// Learns of the sessions that ended before this replica started.
    pub async fn load(&self) -> Result<()> {
        self.poll().await
    }

    /// Follows the sessions that other replicas end.
    pub async fn run(&self, mut shutdown: Shutdown) {
        loop {
            tokio::select! {
                () = shutdown.requested() => return,
                () = tokio::time::sleep(POLL) => {}
            }
            if let Err(error) = self.poll().await {
                tracing::warn!(%error, "cannot read the ended sessions");
            }
            self.recent.forget_old(self.clock.now());
        }
    }

    async fn poll(&self) -> Result<()> {
        let now = self.clock.now();
        let asked = *self.asked.lock();
        let since = match asked {
            // The clock may have been set back.
            Some(asked) => asked.micros().min(now.micros()) - OVERLAP,
            None => now.micros() - REMEMBERED,
        };
        self.learn(sessions::ended_since(&self.db, Timestamp::from_micros(since)).await?);
        *self.asked.lock() = Some(now);
        Ok(())
    }

    fn learn(&self, sessions: impl IntoIterator<Item = (Uuid, Timestamp)>) {
        let mut any = false;
        for (session, at) in sessions {
            any |= self.recent.add(session, at);
        }
        if any {
            self.changes.send_replace(());
        }
    }
}
