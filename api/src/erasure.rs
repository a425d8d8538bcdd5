//! Players who were erased. Name, address, credentials and everything else that is theirs is deleted at once; the log keeps
//! their id, which then stands for nobody.
//!
//! Access tokens are checked without the store, so every replica knows the players who were erased of late: its own at once,
//! those of other replicas within a second. What such a token did in that second is cleared by a second pass.

use std::{
    collections::HashMap,
    sync::{
        Arc, RwLock, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use actix_web::{http::StatusCode, web::Data};
use domain::{matches::Command, time::Timestamp};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect,
    QueryTrait,
    sea_query::{Expr, OnConflict},
};
use uuid::Uuid;

use crate::{
    app::App,
    auth::tokens,
    clock,
    entities::{
        access_token, creation, erasure, invitation, match_seat, player, refresh_token, session,
        webhook, webhook_delivery,
    },
    error::ApiResult,
    live::Order,
    store,
};

/// How often we look for players whom other replicas erased.
const POLL: Duration = Duration::from_secs(1);
/// For so long a token of an erased player may be shown: its lifetime, and some more for clocks that differ.
const REMEMBERED: i64 = (tokens::LIFETIME as i64 + 5 * 60) * 1_000_000;
/// When every replica knows and the second pass can begin.
const KNOWN_TO_ALL: i64 = 5 * 1_000_000;

/// The players who were erased of late.
#[derive(Debug, Default)]
pub struct Erased {
    any: AtomicBool,
    recent: RwLock<HashMap<Uuid, Timestamp>>,
}

impl Erased {
    /// Whether this player was erased of late.
    pub fn has(&self, player: Uuid) -> bool {
        // Mostly nobody was: then this costs nothing.
        self.any.load(Ordering::Acquire)
            && self.recent.read().is_ok_and(|recent| recent.contains_key(&player))
    }

    /// Remembers a player; tells whether that is news.
    fn add(&self, player: Uuid, at: Timestamp) -> bool {
        let Ok(mut recent) = self.recent.write() else { return false };
        let is_news = recent.insert(player, at).is_none();
        self.any.store(true, Ordering::Release);
        is_news
    }

    fn forget_before(&self, cutoff: i64) {
        if let Ok(mut recent) = self.recent.write() {
            recent.retain(|_, at| at.micros() > cutoff);
            self.any.store(!recent.is_empty(), Ordering::Release);
        }
    }
}

/// Erases a player. Asking again does no harm.
pub async fn erase(app: &App, player: &player::Model, now: Timestamp) -> ApiResult<()> {
    let work = store::begin(&app.db).await?;
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
    learn(app, player.id, now);
    // Whatever fails here is made up for by the second pass.
    if let Err(error) = leave_matches(app, player.id, now).await {
        tracing::warn!(player = %player.id, %error, "an erased player could not leave every match yet");
    }
    Ok(())
}

/// Whether a player was erased, however long ago.
pub async fn was_erased(app: &App, player: Uuid) -> ApiResult<bool> {
    Ok(erasure::Entity::find_by_id(player).one(&app.db).await?.is_some())
}

/// Every table that holds something of a player is cleared here.
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
    // The fingerprints of requests, such as the one that created the player: it was made of the name.
    let scopes = ["forks", "matches", "tokens", "webhooks"].map(|kind| format!("{kind}/{id}"));
    let theirs = Condition::any()
        .add(creation::Column::CreatedId.eq(id))
        .add(creation::Column::Scope.is_in(scopes));
    creation::Entity::delete_many().filter(theirs).exec(db).await?;
    player::Entity::delete_by_id(id).exec(db).await?;
    Ok(())
}

/// Leaves matches that have not started and resigns from those that are being played.
async fn leave_matches(app: &App, player: Uuid, now: Timestamp) -> ApiResult<()> {
    let seats = match_seat::Entity::find()
        .filter(match_seat::Column::PlayerId.eq(player))
        .filter(match_seat::Column::Over.eq(false))
        .all(&app.db)
        .await?;
    for seat in seats {
        // A match may start in between: whichever does not apply is refused and changes nothing.
        for command in [Command::Leave { player }, Command::Resign { player }] {
            let order = Order { command_id: clock::new_id(now), if_match: None, at: now };
            match app.matches.execute(seat.match_id, &command, &order).await {
                Err(error)
                    if ![StatusCode::CONFLICT, StatusCode::FORBIDDEN].contains(&error.status()) =>
                {
                    return Err(error);
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn learn(app: &App, player: Uuid, at: Timestamp) {
    if app.erased.add(player, at) {
        app.names.forget(player);
        app.personal_tokens.forget();
    }
}

/// Learns of the players whom other replicas erase, and clears up after each a second time. Ends with the server.
pub async fn follow(app: &Data<App>) -> Result<(), DbErr> {
    // At the start also those that were left half-way, however long ago.
    look(app, Condition::all().add(erasure::Column::Settled.eq(false))).await?;
    look(app, recent()).await?;
    let app: Weak<App> = Arc::downgrade(app);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(POLL).await;
            let Some(app) = Weak::upgrade(&app) else { return };
            if let Err(error) = look(&app, recent()).await {
                tracing::warn!(%error, "cannot look for erased players");
            }
            app.erased.forget_before(clock::now().micros() - REMEMBERED);
        }
    });
    Ok(())
}

fn recent() -> Condition {
    Condition::all().add(erasure::Column::ErasedAt.gt(clock::now().micros() - REMEMBERED))
}

async fn look(app: &App, which: Condition) -> Result<(), DbErr> {
    for erasure in erasure::Entity::find().filter(which).all(&app.db).await? {
        let now = clock::now();
        learn(app, erasure.player_id, Timestamp::from_micros(erasure.erased_at));
        if !erasure.settled && now.micros() - erasure.erased_at > KNOWN_TO_ALL {
            settle(app, erasure.player_id, now).await?;
        }
    }
    Ok(())
}

async fn settle(app: &App, player: Uuid, now: Timestamp) -> Result<(), DbErr> {
    delete_everything(&app.db, player).await?;
    if let Err(error) = leave_matches(app, player, now).await {
        tracing::warn!(%player, %error, "an erased player could not leave every match yet");
        return Ok(());
    }
    erasure::Entity::update_many()
        .col_expr(erasure::Column::Settled, Expr::value(true))
        .filter(erasure::Column::PlayerId.eq(player))
        .exec(&app.db)
        .await
        .map(drop)
}
