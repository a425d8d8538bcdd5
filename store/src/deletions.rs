//! Deleted players (table `erasures`). Their id is kept, because it is part of the log; everything else is deleted.

use std::collections::HashSet;

use domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait, IntoActiveModel,
    QueryFilter, QuerySelect, QueryTrait,
    sea_query::{Expr, OnConflict},
};
use uuid::Uuid;

use crate::{
    Db, Result, begin,
    entities::{
        access_token, block, creation, erasure, invitation, match_seat, player, recovery_code,
        refresh_token, session, webhook, webhook_delivery,
    },
    players::{self, Player},
};

/// A player who was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deletion {
    /// The id of the player.
    pub player: Uuid,
    /// When.
    pub at: Timestamp,
    /// Whether the second pass is done.
    pub settled: bool,
}

impl From<erasure::Model> for Deletion {
    fn from(row: erasure::Model) -> Self {
        Self {
            player: row.player_id,
            at: Timestamp::from_micros(row.erased_at),
            settled: row.settled,
        }
    }
}

/// Whether a player was deleted.
pub async fn exists(db: &Db, player: Uuid) -> Result<bool> {
    Ok(erasure::Entity::find_by_id(player).one(db).await?.is_some())
}

/// Which of these players were deleted.
pub async fn among(db: &Db, players: Vec<Uuid>) -> Result<HashSet<Uuid>> {
    let deleted = erasure::Entity::find().filter(erasure::Column::PlayerId.is_in(players));
    Ok(deleted.all(db).await?.into_iter().map(|row| row.player_id).collect())
}

/// The deletions after a time.
pub async fn since(db: &Db, time: Timestamp) -> Result<Vec<Deletion>> {
    read(db, erasure::Column::ErasedAt.gt(time.micros())).await
}

/// The deletions that still lack their second pass.
pub async fn unsettled(db: &Db) -> Result<Vec<Deletion>> {
    read(db, erasure::Column::Settled.eq(false)).await
}

async fn read(db: &Db, filter: Expr) -> Result<Vec<Deletion>> {
    let rows = erasure::Entity::find().filter(filter).all(db).await?;
    Ok(rows.into_iter().map(Deletion::from).collect())
}

/// Deletes a player and everything that belongs to the player, in one transaction. Repeating it is harmless.
pub async fn delete(db: &Db, player: &Player, now: Timestamp) -> Result<()> {
    let work = begin(db).await?;
    // First, as when a password is changed: transactions that lock in another order would wait for each other.
    players::lock(&work, player.id).await?;
    let row = erasure::Model {
        player_id: player.id,
        account: !player.is_guest(),
        account_since: player.account_since,
        erased_at: now.micros(),
        settled: false,
    };
    erasure::Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(&work)
        .await?;
    delete_everything(&work, player.id).await?;
    Ok(work.commit().await?)
}

/// Deletes what was written for a deleted player after the deletion.
pub async fn clear(db: &Db, player: Uuid) -> Result<()> {
    Ok(delete_everything(db, player).await?)
}

/// Marks the second pass of a deletion as done.
pub async fn settle(db: &Db, player: Uuid) -> Result<()> {
    erasure::Entity::update_many()
        .col_expr(erasure::Column::Settled, Expr::value(true))
        .filter(erasure::Column::PlayerId.eq(player))
        .exec(db)
        .await?;
    Ok(())
}

/// The matches that are not over and in which a player sits.
pub async fn matches_to_leave(db: &Db, player: Uuid) -> Result<Vec<Uuid>> {
    let matches = match_seat::Entity::find()
        .select_only()
        .column(match_seat::Column::MatchId)
        .filter(match_seat::Column::PlayerId.eq(player))
        .filter(match_seat::Column::Over.eq(false))
        .into_tuple()
        .all(db)
        .await?;
    Ok(matches)
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
    recovery_code::Entity::delete_by_id(id).exec(db).await?;
    let tokens = access_token::Entity::delete_many();
    tokens.filter(access_token::Column::PlayerId.eq(id)).exec(db).await?;
    let blocks = block::Column::PlayerId.eq(id).or(block::Column::BlockedId.eq(id));
    block::Entity::delete_many().filter(blocks).exec(db).await?;
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
    let scopes =
        ["forks", "matches", "tokens", "webhooks"].map(|resource| format!("{resource}/{id}"));
    let theirs = Condition::any()
        .add(creation::Column::CreatedId.eq(id))
        .add(creation::Column::Scope.is_in(scopes));
    creation::Entity::delete_many().filter(theirs).exec(db).await?;
    player::Entity::delete_by_id(id).exec(db).await?;
    Ok(())
}
