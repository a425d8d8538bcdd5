//! Webhooks and the deliveries to them.

mod deliveries;
pub mod registrations;

use domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, ExprTrait, Query},
};
use uuid::Uuid;

pub use crate::entities::{webhook::Model as Webhook, webhook_delivery::Model as Delivery};
use crate::{
    Connection, Db,
    entities::{
        access_token,
        webhook::{Column, Entity},
    },
    error::Result,
};
pub use deliveries::{
    WaitingWebhook, bring_forward, insert_deliveries, lease, next_due, record_attempt, waiting,
};

/// The notice of a webhook whose receiver answered that it is gone.
const GONE: &str = "gone";

/// How many ids or rows go into one statement.
const CHUNK: usize = 500;

/// The states of a delivery.
pub mod state {
    /// Not delivered yet.
    pub const PENDING: &str = "pending";
    /// The receiver has it.
    pub const DELIVERED: &str = "delivered";
    /// Given up.
    pub const DEAD: &str = "dead";
}

/// The webhooks that have not ended: one that a personal access token created ends with that token.
fn in_force(now: Timestamp) -> Condition {
    let token = Query::select()
        .expr(Expr::val(1))
        .from(access_token::Entity)
        .and_where(
            Expr::col((access_token::Entity, access_token::Column::Id))
                .equals((Entity, Column::TokenId)),
        )
        .and_where(
            Expr::col((access_token::Entity, access_token::Column::ExpiresAt)).gt(now.micros()),
        )
        .to_owned();
    Condition::any().add(Column::TokenId.is_null()).add(Expr::exists(token))
}

/// A webhook by its id, unless it has ended.
pub async fn find(db: &Db, id: Uuid, now: Timestamp) -> Result<Option<Webhook>> {
    Ok(Entity::find_by_id(id).filter(in_force(now)).one(db).await?)
}

/// Deactivates a webhook whose receiver is gone, unless its URL has changed in the meantime.
pub async fn mark_gone(db: &Db, webhook: &Webhook, now: Timestamp) -> Result<()> {
    Entity::update_many()
        .col_expr(Column::Active, Expr::value(false))
        .col_expr(Column::Notice, Expr::value(GONE))
        .col_expr(Column::UpdatedAt, Expr::value(now.micros()))
        .filter(Column::Id.eq(webhook.id))
        .filter(Column::Url.eq(webhook.url.as_str()))
        .exec(db)
        .await?;
    Ok(())
}

/// Whether any webhook is active.
pub async fn any_active(db: &Db) -> Result<bool> {
    let first: Option<Uuid> = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::Active.eq(true))
        .limit(1)
        .into_tuple()
        .one(db)
        .await?;
    Ok(first.is_some())
}

/// The active webhooks that watch one of these matches, or all matches of one of these players.
pub async fn watching(
    db: &Db,
    matches: &[Uuid],
    players: &[Uuid],
    now: Timestamp,
) -> Result<Vec<Webhook>> {
    let by_match = matches
        .chunks(CHUNK)
        .map(|ids| Condition::all().add(Column::MatchId.is_in(ids.iter().copied())));
    let by_player = players.chunks(CHUNK).map(|ids| {
        Condition::all()
            .add(Column::MatchId.is_null())
            .add(Column::PlayerId.is_in(ids.iter().copied()))
    });
    let mut webhooks = Vec::new();
    for condition in by_match.chain(by_player) {
        let watching = Entity::find().filter(Column::Active.eq(true)).filter(condition);
        webhooks.extend(watching.filter(in_force(now)).all(db).await?);
    }
    Ok(webhooks)
}

/// The active webhooks of these players that watch all their matches.
pub async fn of_players(
    db: &impl Connection,
    players: &[Uuid],
    now: Timestamp,
) -> Result<Vec<Webhook>> {
    let condition = Condition::all()
        .add(Column::Active.eq(true))
        .add(Column::MatchId.is_null())
        .add(Column::PlayerId.is_in(players.iter().copied()))
        .add(in_force(now));
    Ok(Entity::find().filter(condition).all(db).await?)
}
