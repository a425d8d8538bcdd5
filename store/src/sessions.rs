//! Sessions and their refresh tokens, which are stored by their hash. A refresh token works once.

use domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, sea_query::Expr,
};
use uuid::Uuid;

use crate::{
    Db, Result, begin,
    entities::{player, refresh_token, session},
    players::Player,
};

/// A refresh token that is issued.
#[derive(Debug, Clone, Copy)]
pub struct NewRefreshToken {
    /// The hash of the token.
    pub hash: [u8; 32],
    /// When it expires.
    pub expires: Timestamp,
}

/// The result of exchanging a refresh token.
#[derive(Debug)]
pub enum Exchange {
    /// The new token was issued.
    Issued {
        /// The session of the token.
        session: Uuid,
        /// The player of the session.
        player: Player,
    },
    /// The token was used before, so its session was ended.
    Reused {
        /// The session that was ended.
        session: Uuid,
    },
    /// The token is unknown or has expired, or its session has ended.
    Invalid,
}

/// Opens a session with its first refresh token.
pub async fn open(
    db: &Db,
    id: Uuid,
    player: Uuid,
    token: NewRefreshToken,
    now: Timestamp,
) -> Result<()> {
    let work = begin(db).await?;
    let session =
        session::Model { id, player_id: player, created_at: now.micros(), ended_at: None };
    session::Entity::insert(session.into_active_model()).exec_without_returning(&work).await?;
    issue(&work, id, token).await?;
    Ok(work.commit().await?)
}

/// Exchanges a refresh token for a new one.
pub async fn exchange(
    db: &Db,
    hash: [u8; 32],
    new: NewRefreshToken,
    now: Timestamp,
) -> Result<Exchange> {
    let hash = hash.to_vec();
    let work = begin(db).await?;
    let used = refresh_token::Entity::update_many()
        .col_expr(refresh_token::Column::UsedAt, Expr::value(now.micros()))
        .filter(refresh_token::Column::TokenHash.eq(hash.clone()))
        .filter(refresh_token::Column::UsedAt.is_null())
        .exec(&work)
        .await?;
    let Some(token) = refresh_token::Entity::find_by_id(hash).one(&work).await? else {
        return Ok(Exchange::Invalid);
    };
    if used.rows_affected == 0 {
        end_in(&work, token.session_id, now).await?;
        work.commit().await?;
        return Ok(Exchange::Reused { session: token.session_id });
    }
    let session = session::Entity::find_by_id(token.session_id).one(&work).await?;
    let is_open =
        |session: &session::Model| session.ended_at.is_none() && token.expires_at > now.micros();
    let Some(session) = session.filter(is_open) else { return Ok(Exchange::Invalid) };
    let Some(player) = player::Entity::find_by_id(session.player_id).one(&work).await? else {
        return Ok(Exchange::Invalid);
    };
    issue(&work, session.id, new).await?;
    work.commit().await?;
    Ok(Exchange::Issued { session: session.id, player })
}

/// Ends a session; its refresh tokens no longer work.
pub async fn end(db: &Db, id: Uuid, now: Timestamp) -> Result<()> {
    Ok(end_in(db, id, now).await?)
}

async fn end_in(db: &impl ConnectionTrait, id: Uuid, now: Timestamp) -> Result<(), DbErr> {
    session::Entity::update_many()
        .col_expr(session::Column::EndedAt, Expr::value(now.micros()))
        .filter(session::Column::Id.eq(id))
        .filter(session::Column::EndedAt.is_null())
        .exec(db)
        .await
        .map(drop)
}

async fn issue(
    db: &impl ConnectionTrait,
    session: Uuid,
    token: NewRefreshToken,
) -> Result<(), DbErr> {
    let token = refresh_token::Model {
        token_hash: token.hash.to_vec(),
        session_id: session,
        expires_at: token.expires.micros(),
        used_at: None,
    };
    refresh_token::Entity::insert(token.into_active_model()).exec_without_returning(db).await?;
    Ok(())
}
