//! Expiry: removes what nobody needs any more, so that no table grows for ever.
//!
//! It works in small batches, and every step is harmless if it is repeated, so each replica may do it at any time. The log of a
//! match is never removed: a match that nobody joins is closed, by an event like any other.

use std::{collections::HashMap, sync::Arc, time::Duration};

use domain::{matches::Command, time::Timestamp};
use store::{
    Db, deletions,
    expiry::{self, EndedSession, IdleGuest},
    players,
    webhooks::registrations,
};
use uuid::Uuid;

use crate::{
    clock::{self, Clock},
    deletion::Deletions,
    error::Result,
    live::{CommandContext, Matches},
    tasks::Shutdown,
};

/// How often to look for what has expired.
const INTERVAL: Duration = Duration::from_hours(1);
/// How many rows are removed at once.
const BATCH: u64 = 500;

/// How long things are kept.
#[derive(Debug, Clone, Copy)]
pub struct Ages {
    /// Sessions, from their end on; and guests, from the end of their last session on.
    pub sessions: Duration,
    /// Idempotency keys, from their first use on.
    pub keys: Duration,
    /// Completed deliveries, from their creation on.
    pub deliveries: Duration,
    /// Matches that have not started, from their creation on.
    pub unstarted: Duration,
}

/// Removes what has expired.
#[derive(Debug)]
pub struct Expiry {
    db: Db,
    clock: Clock,
    matches: Matches,
    deletions: Arc<Deletions>,
    ages: Ages,
}

/// The name of a step, and whether it is finished for now.
type Step<'a> = (&'static str, std::pin::Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>);

impl Expiry {
    /// Expiry in the store of these matches.
    #[must_use]
    pub fn new(matches: Matches, clock: Clock, deletions: Arc<Deletions>, ages: Ages) -> Self {
        let db = matches.log().database().clone();
        Self { db, clock, matches, deletions, ages }
    }

    /// Removes what has expired, now and every hour, until told to stop.
    pub async fn run(&self, mut shutdown: Shutdown) {
        loop {
            let now = self.clock.now();
            tokio::select! {
                () = shutdown.requested() => return,
                () = self.sweep(now) => {}
            }
            tokio::select! {
                () = shutdown.requested() => return,
                () = self.clock.sleep_until(now, clock::after(now, INTERVAL)) => {}
            }
        }
    }

    async fn sweep(&self, now: Timestamp) {
        let steps: [Step<'_>; 6] = [
            ("refresh tokens", Box::pin(self.remove_refresh_tokens(now))),
            ("sessions and guests", Box::pin(self.remove_sessions(now))),
            ("idempotency keys", Box::pin(self.remove_keys(now))),
            ("matches that have not started", Box::pin(self.close_matches(now))),
            ("invitations", Box::pin(self.remove_invitations(now))),
            ("webhooks and deliveries", Box::pin(self.remove_webhooks(now))),
        ];
        for (what, step) in steps {
            // One step that fails must not hold up the others.
            if let Err(error) = step.await {
                tracing::warn!(%error, "cannot remove old {what}");
            }
        }
    }

    async fn remove_refresh_tokens(&self, now: Timestamp) -> Result<()> {
        while expiry::remove_refresh_tokens(&self.db, now, BATCH).await? > 0 {}
        Ok(())
    }

    /// Removes sessions that ended long ago, and with their last session the guests who can no longer come back.
    async fn remove_sessions(&self, now: Timestamp) -> Result<()> {
        let before = ago(now, self.ages.sessions);
        let mut last = None;
        loop {
            let ended = expiry::ended_sessions(&self.db, before, last, BATCH).await?;
            last = ended.last().copied();
            if last.is_none() {
                return Ok(());
            }
            let players: Vec<Uuid> = ended.iter().map(|session| session.player).collect();
            let idle = expiry::idle_guests(&self.db, &players, before, now).await?;
            let idle: HashMap<Uuid, IdleGuest> =
                idle.into_iter().map(|guest| (guest.id, guest)).collect();
            // The session of a guest who is still needed stays, so that the guest is found again later.
            let is_removable = |session: &&EndedSession| {
                idle.get(&session.player).is_none_or(|guest| !guest.is_busy)
            };
            let sessions = ended.iter().filter(is_removable).map(|session| session.id).collect();
            for guest in idle.values().filter(|guest| !guest.is_busy) {
                self.remove_guest(guest).await?;
            }
            expiry::remove_sessions(&self.db, sessions).await?;
        }
    }

    /// Deletes an abandoned guest. One who played is deleted like every player: matches keep the id.
    async fn remove_guest(&self, guest: &IdleGuest) -> Result<()> {
        if !guest.has_played {
            return Ok(deletions::clear(&self.db, guest.id).await?);
        }
        match players::find(&self.db, guest.id).await? {
            Some(player) => self.deletions.delete(&player).await,
            None => Ok(()),
        }
    }

    async fn remove_keys(&self, now: Timestamp) -> Result<()> {
        let before = ago(now, self.ages.keys);
        while expiry::remove_keys(&self.db, before, BATCH).await? > 0 {}
        Ok(())
    }

    /// Closes matches that have not started in time (M12).
    async fn close_matches(&self, now: Timestamp) -> Result<()> {
        // Ids are ordered by the time of their creation.
        let below = clock::first_id_at(clock::to_datetime(ago(now, self.ages.unstarted)));
        let mut last = None;
        loop {
            let matches = expiry::open_matches(&self.db, below, last, BATCH).await?;
            last = matches.last().copied();
            if last.is_none() {
                return Ok(());
            }
            for id in matches {
                let context = CommandContext::new(self.clock.new_id(), now);
                match self.matches.execute(id, &Command::Expire, &context).await {
                    // A refusal says that it has started meanwhile, or that another replica was faster.
                    Err(error) if !error.is_refusal() => return Err(error),
                    _ => {}
                }
            }
        }
    }

    async fn remove_invitations(&self, now: Timestamp) -> Result<()> {
        let before = ago(now, self.ages.unstarted);
        while expiry::remove_invitations(&self.db, before, BATCH).await? > 0 {}
        Ok(())
    }

    async fn remove_webhooks(&self, now: Timestamp) -> Result<()> {
        loop {
            let ended = expiry::ended_webhooks(&self.db, now, BATCH).await?;
            if ended.is_empty() {
                break;
            }
            for id in ended {
                registrations::delete(&self.db, id).await?;
            }
        }
        let before = ago(now, self.ages.deliveries);
        while expiry::remove_deliveries(&self.db, before, BATCH).await? > 0 {}
        Ok(())
    }
}

/// The time that was this long ago.
fn ago(now: Timestamp, age: Duration) -> Timestamp {
    let age = i64::try_from(age.as_micros()).expect("ages are limited to a century");
    Timestamp::from_micros(now.micros().saturating_sub(age).max(0))
}
