//! Deleted players. Name, e-mail address, credentials and everything else of theirs is deleted at once; the log keeps their
//! id, which then stands for nobody.
//!
//! Access tokens are checked without the store, so every replica knows the players who were deleted recently: its own at once,
//! those of other replicas within a second. What such a token did in that second is cleared by a second pass.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use domain::{matches::Command, time::Timestamp};
use parking_lot::RwLock;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, QueryFilter,
    QuerySelect, QueryTrait,
    sea_query::{Expr, OnConflict},
};
use store::entities::{
    access_token, creation, erasure, invitation, match_seat, player, refresh_token, session,
    webhook, webhook_delivery,
};
use uuid::Uuid;

use crate::{
    clock::{self, Clock},
    error::Result,
    identity::{PersonalTokens, tokens},
    live::{CommandContext, Matches},
    names::NameCache,
    tasks::Shutdown,
};

/// How often we look for players who were deleted by other replicas.
const POLL: Duration = Duration::from_secs(1);
/// A token of a deleted player may be shown for this long: its lifetime, and some more because clocks differ.
const REMEMBERED: i64 = (tokens::LIFETIME as i64 + 5 * 60) * 1_000_000;
/// By then every replica knows, and the second pass can begin.
const KNOWN_TO_ALL: i64 = 5 * 1_000_000;

/// Deletes players, and knows those who were deleted recently.
#[derive(Debug)]
pub struct Deletions {
    db: DatabaseConnection,
    clock: Clock,
    matches: Matches,
    names: Arc<NameCache>,
    personal_tokens: Arc<PersonalTokens>,
    any: AtomicBool,
    recent: RwLock<HashMap<Uuid, Timestamp>>,
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
        let (any, recent) = (AtomicBool::new(false), RwLock::default());
        Self { db, clock, matches, names, personal_tokens, any, recent }
    }

    /// Whether this player was deleted recently.
    #[must_use]
    pub fn has(&self, player: Uuid) -> bool {
        // Usually nobody was: then this costs nothing.
        self.any.load(Ordering::Acquire) && self.recent.read().contains_key(&player)
    }

    /// Whether a player was deleted, however long ago.
    pub async fn was_deleted(&self, player: Uuid) -> Result<bool> {
        Ok(erasure::Entity::find_by_id(player).one(&self.db).await?.is_some())
    }

    /// Deletes a player. Doing it again does no harm.
    pub async fn delete(&self, player: &player::Model) -> Result<()> {
        let now = self.clock.now();
        let work = store::begin(&self.db).await?;
        erasure::Entity::insert(erasure::ActiveModel {
            player_id: Set(player.id),
            account: Set(player.password_hash.is_some()),
            account_since: Set(player.account_since),
            erased_at: Set(now.micros()),
            settled: Set(false),
        })
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(&work)
        .await?;
        delete_everything(&work, player.id).await?;
        work.commit().await?;
        self.learn(player.id, now);
        // If this fails, the second pass makes up for it.
        if let Err(error) = self.leave_matches(player.id, now).await {
            tracing::warn!(player = %player.id, %error, "a deleted player could not leave every match yet");
        }
        Ok(())
    }

    /// Learns of the players who were deleted before this replica started, and finishes deletions that were cut short.
    pub async fn load(&self) -> Result<()> {
        self.look(Condition::all().add(erasure::Column::Settled.eq(false))).await?;
        self.look(self.lately()).await
    }

    /// Follows what other replicas delete, and clears up after each deletion a second time.
    pub async fn run(&self, mut shutdown: Shutdown) {
        loop {
            tokio::select! {
                () = shutdown.requested() => return,
                () = tokio::time::sleep(POLL) => {}
            }
            if let Err(error) = self.look(self.lately()).await {
                tracing::warn!(%error, "cannot look for deleted players");
            }
            self.forget_before(self.clock.now().micros() - REMEMBERED);
        }
    }

    fn learn(&self, player: Uuid, at: Timestamp) {
        let is_news = self.recent.write().insert(player, at).is_none();
        self.any.store(true, Ordering::Release);
        if is_news {
            self.names.forget(player);
            self.personal_tokens.forget();
        }
    }

    fn forget_before(&self, cutoff: i64) {
        let mut recent = self.recent.write();
        recent.retain(|_, at| at.micros() > cutoff);
        self.any.store(!recent.is_empty(), Ordering::Release);
    }

    fn lately(&self) -> Condition {
        let cutoff = self.clock.now().micros() - REMEMBERED;
        Condition::all().add(erasure::Column::ErasedAt.gt(cutoff))
    }

    async fn look(&self, which: Condition) -> Result<()> {
        for erasure in erasure::Entity::find().filter(which).all(&self.db).await? {
            let now = self.clock.now();
            self.learn(erasure.player_id, Timestamp::from_micros(erasure.erased_at));
            if !erasure.settled && now.micros() - erasure.erased_at > KNOWN_TO_ALL {
                self.settle(erasure.player_id, now).await?;
            }
        }
        Ok(())
    }

    async fn settle(&self, player: Uuid, now: Timestamp) -> Result<()> {
        delete_everything(&self.db, player).await?;
        if let Err(error) = self.leave_matches(player, now).await {
            tracing::warn!(%player, %error, "a deleted player could not leave every match yet");
            return Ok(());
        }
        erasure::Entity::update_many()
            .col_expr(erasure::Column::Settled, Expr::value(true))
            .filter(erasure::Column::PlayerId.eq(player))
            .exec(&self.db)
            .await?;
        Ok(())
    }

    /// Leaves matches that have not started and resigns from those that are being played.
    async fn leave_matches(&self, player: Uuid, now: Timestamp) -> Result<()> {
        let seats = match_seat::Entity::find()
            .filter(match_seat::Column::PlayerId.eq(player))
            .filter(match_seat::Column::Over.eq(false))
            .all(&self.db)
            .await?;
        for seat in seats {
            // A match may start in between: the command that does not apply is refused and changes nothing.
            for command in [Command::Leave { player }, Command::Resign { player }] {
                let context = CommandContext::new(clock::new_id(now), now);
                match self.matches.execute(seat.match_id, &command, &context).await {
                    Err(error) if !error.is_refusal() => return Err(error),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// Clears every table that holds something of a player.
async fn delete_everything(db: &impl ConnectionTrait, id: Uuid) -> Result<(), DbErr> {
    let sessions = session::Entity::find()
        .select_only()
        .column(session::Column::Id)
        .filter(session::Column::PlayerId.eq(id))
        .into_query();
    refresh_token::Entity::delete_many()
        .filter(refresh_token::Column::SessionId.in_subquery(sessions))
        .exec(db)
        .await?;
    session::Entity::delete_many().filter(session::Column::PlayerId.eq(id)).exec(db).await?;
    let tokens = access_token::Entity::delete_many();
    tokens.filter(access_token::Column::PlayerId.eq(id)).exec(db).await?;
    let invitations = invitation::Entity::delete_many();
    invitations.filter(invitation::Column::PlayerId.eq(id)).exec(db).await?;
    let webhooks = webhook::Entity::find()
        .select_only()
        .column(webhook::Column::Id)
        .filter(webhook::Column::PlayerId.eq(id))
        .into_query();
    webhook_delivery::Entity::delete_many()
        .filter(webhook_delivery::Column::WebhookId.in_subquery(webhooks))
        .exec(db)
        .await?;
    webhook::Entity::delete_many().filter(webhook::Column::PlayerId.eq(id)).exec(db).await?;
    // The fingerprints of requests, such as the one that created the player, which was computed from the name.
    let scopes = ["forks", "matches", "tokens", "webhooks"].map(|kind| format!("{kind}/{id}"));
    let theirs = Condition::any()
        .add(creation::Column::CreatedId.eq(id))
        .add(creation::Column::Scope.is_in(scopes));
    creation::Entity::delete_many().filter(theirs).exec(db).await?;
    player::Entity::delete_by_id(id).exec(db).await?;
    Ok(())
}
