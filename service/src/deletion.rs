//! Deleted players. Their name, e-mail address, credentials and all other data are deleted at once; the log keeps their id,
//! which no longer identifies anybody.
//!
//! Access tokens are checked without the store, so every replica knows the players who were deleted recently: its own at once,
//! those of other replicas within a second. A second pass clears what such a token wrote in that second.

use std::{sync::Arc, time::Duration};

use domain::{matches::Command, time::Timestamp};
use store::{
    Db,
    deletions::{self, Deletion},
    players::Player,
};
use uuid::Uuid;

use crate::{
    clock::{self, Clock},
    error::Result,
    identity::{PersonalTokens, RecentIds, recent::REMEMBERED},
    live::{CommandContext, Matches},
    names::NameCache,
    tasks::Shutdown,
};

/// How often the deletions of other replicas are read.
const POLL: Duration = Duration::from_secs(1);
/// After this time every replica knows of a deletion, and the second pass can begin.
const KNOWN_TO_ALL: i64 = 5 * 1_000_000;

/// Deletes players, and knows those who were deleted recently.
#[derive(Debug)]
pub struct Deletions {
    db: Db,
    clock: Clock,
    matches: Matches,
    names: Arc<NameCache>,
    personal_tokens: Arc<PersonalTokens>,
    recent: RecentIds,
}

impl Deletions {
    /// The deletions in this store.
    #[must_use]
    pub fn new(
        clock: Clock,
        matches: Matches,
        names: Arc<NameCache>,
        personal_tokens: Arc<PersonalTokens>,
    ) -> Self {
        let db = matches.log().database().clone();
        Self { db, clock, matches, names, personal_tokens, recent: RecentIds::default() }
    }

    /// Whether this player was deleted recently.
    #[must_use]
    pub fn has(&self, player: Uuid) -> bool {
        self.recent.has(player)
    }

    /// Whether a player was deleted, however long ago.
    pub async fn was_deleted(&self, player: Uuid) -> Result<bool> {
        Ok(deletions::exists(&self.db, player).await?)
    }

    /// Deletes a player. Repeating it is harmless.
    pub async fn delete(&self, player: &Player) -> Result<()> {
        let now = self.clock.now();
        deletions::delete(&self.db, player, now).await?;
        self.learn(player.id, now);
        // If this fails, the second pass makes up for it.
        if let Err(error) = self.leave_matches(player.id, now).await {
            tracing::warn!(player = %player.id, %error, "a deleted player could not leave every match yet");
        }
        Ok(())
    }

    /// Learns of the players who were deleted before this replica started, and finishes deletions that were interrupted.
    pub async fn load(&self) -> Result<()> {
        self.take_in(deletions::unsettled(&self.db).await?).await?;
        self.poll().await
    }

    /// Follows the deletions of other replicas, and makes the second pass of each deletion.
    pub async fn run(&self, mut shutdown: Shutdown) {
        loop {
            tokio::select! {
                () = shutdown.requested() => return,
                () = tokio::time::sleep(POLL) => {}
            }
            if let Err(error) = self.poll().await {
                tracing::warn!(%error, "cannot read the deleted players");
            }
            self.recent.forget_old(self.clock.now());
        }
    }

    fn learn(&self, player: Uuid, at: Timestamp) {
        if self.recent.add(player, at) {
            self.names.forget(player);
            self.personal_tokens.forget();
        }
    }

    async fn poll(&self) -> Result<()> {
        let since = Timestamp::from_micros(self.clock.now().micros() - REMEMBERED);
        self.take_in(deletions::since(&self.db, since).await?).await
    }

    async fn take_in(&self, deletions: Vec<Deletion>) -> Result<()> {
        for Deletion { player, at, settled } in deletions {
            let now = self.clock.now();
            self.learn(player, at);
            let is_known_to_all = now.micros() - at.micros() > KNOWN_TO_ALL;
            if !settled && is_known_to_all && !self.db.is_read_only() {
                self.settle(player, now).await?;
            }
        }
        Ok(())
    }

    /// Makes the second pass.
    async fn settle(&self, player: Uuid, now: Timestamp) -> Result<()> {
        deletions::clear(&self.db, player).await?;
        if let Err(error) = self.leave_matches(player, now).await {
            tracing::warn!(%player, %error, "a deleted player could not leave every match yet");
            return Ok(());
        }
        Ok(deletions::settle(&self.db, player).await?)
    }

    /// Leaves matches that have not started and resigns from those that are being played.
    async fn leave_matches(&self, player: Uuid, now: Timestamp) -> Result<()> {
        for match_id in deletions::matches_to_leave(&self.db, player).await? {
            // Both, because a match may start in between. The command that does not apply is refused and changes nothing.
            for command in [Command::Leave { player }, Command::Resign { player }] {
                let context = CommandContext::new(clock::new_id(now), now);
                match self.matches.execute(match_id, &command, &context).await {
                    Err(error) if !error.is_refusal() => return Err(error),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}
