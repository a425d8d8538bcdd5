//! Sessions: a short-lived access token and a refresh token. A refresh token works once; a second use ends the session,
//! because then somebody else has it too.

use std::sync::Arc;

use domain::time::Timestamp;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbErr, EntityTrait, QueryFilter,
    sea_query::Expr,
};
use store::entities::{player, refresh_token, session};
use uuid::Uuid;

use super::AccessTokens;
use crate::{clock, secret};

/// How long a refresh token is valid, in microseconds.
const REFRESH_LIFETIME: i64 = 60 * 24 * 60 * 60 * 1_000_000;

/// Opens, refreshes and ends sessions.
#[derive(Debug)]
pub struct Sessions {
    db: DatabaseConnection,
    tokens: Arc<AccessTokens>,
}

/// The tokens of a session, and whose it is.
#[derive(Debug)]
pub struct SessionTokens {
    /// The player.
    pub player: player::Model,
    /// The access token.
    pub access_token: String,
    /// The refresh token.
    pub refresh_token: String,
}

/// Why a refresh token gets no new tokens.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// It is unknown or has expired, or its session is over.
    #[error("the refresh token is unknown or has expired")]
    Invalid,
    /// It was used before; the session is over now.
    #[error("the refresh token was used before")]
    Reused,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] DbErr),
}

impl Sessions {
    /// The sessions in this store.
    #[must_use]
    pub fn new(db: DatabaseConnection, tokens: Arc<AccessTokens>) -> Self {
        Self { db, tokens }
    }

    /// Opens a session for a player.
    pub async fn open(
        &self,
        player: player::Model,
        now: Timestamp,
    ) -> Result<SessionTokens, DbErr> {
        let id = clock::new_id(now);
        let work =
            store::begin(&self.db).await.map_err(|error| DbErr::Custom(error.to_string()))?;
        session::Entity::insert(session::ActiveModel {
            id: Set(id),
            player_id: Set(player.id),
            created_at: Set(now.micros()),
            ended_at: NotSet,
        })
        .exec_without_returning(&work)
        .await?;
        let refresh_token = issue(&work, id, now).await?;
        work.commit().await?;
        Ok(self.tokens_for(player, id, refresh_token, now))
    }

    /// Exchanges a refresh token for new tokens.
    pub async fn refresh(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<SessionTokens, RefreshError> {
        let hash = secret::hash(token.as_bytes()).to_vec();
        let work =
            store::begin(&self.db).await.map_err(|error| DbErr::Custom(error.to_string()))?;
        let used = refresh_token::Entity::update_many()
            .col_expr(refresh_token::Column::UsedAt, Expr::value(now.micros()))
            .filter(refresh_token::Column::TokenHash.eq(hash.clone()))
            .filter(refresh_token::Column::UsedAt.is_null())
            .exec(&work)
            .await?;
        let known = refresh_token::Entity::find_by_id(hash).one(&work).await?;
        let known = known.ok_or(RefreshError::Invalid)?;
        if used.rows_affected == 0 {
            end(&work, known.session_id, now).await?;
            work.commit().await?;
            tracing::warn!(session = %known.session_id, "a refresh token was used twice");
            return Err(RefreshError::Reused);
        }
        let session = session::Entity::find_by_id(known.session_id).one(&work).await?;
        let session = session
            .filter(|session| session.ended_at.is_none() && known.expires_at > now.micros())
            .ok_or(RefreshError::Invalid)?;
        let player = player::Entity::find_by_id(session.player_id).one(&work).await?;
        let player = player.ok_or(RefreshError::Invalid)?;
        let refresh_token = issue(&work, session.id, now).await?;
        work.commit().await?;
        Ok(self.tokens_for(player, session.id, refresh_token, now))
    }

    /// Ends a session; its refresh tokens no longer work.
    pub async fn end(&self, id: Uuid, now: Timestamp) -> Result<(), DbErr> {
        end(&self.db, id, now).await
    }

    fn tokens_for(
        &self,
        player: player::Model,
        session: Uuid,
        refresh_token: String,
        now: Timestamp,
    ) -> SessionTokens {
        let guest = player.password_hash.is_none();
        let access_token = self.tokens.sign(player.id, session, guest, now);
        SessionTokens { player, access_token, refresh_token }
    }
}

async fn end(db: &impl ConnectionTrait, id: Uuid, now: Timestamp) -> Result<(), DbErr> {
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
    session_id: Uuid,
    now: Timestamp,
) -> Result<String, DbErr> {
    let token = secret::token();
    refresh_token::Entity::insert(refresh_token::ActiveModel {
        token_hash: Set(secret::hash(token.as_bytes()).to_vec()),
        session_id: Set(session_id),
        expires_at: Set(now.micros() + REFRESH_LIFETIME),
        used_at: NotSet,
    })
    .exec_without_returning(db)
    .await?;
    Ok(token)
}
