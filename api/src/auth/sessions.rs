//! Sessions: an access token for now and a refresh token for later. A refresh token works once; a second use ends the
//! session, for then somebody else has it too.

use domain::{text::Text, time::Timestamp};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::Expr,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::tokens;
use crate::{
    app::App,
    clock,
    entities::{player, refresh_token, session},
    error::{ApiError, ApiResult},
    routes::players::MyProfile,
    secret, store,
};

/// How long a refresh token is good for, in microseconds.
const REFRESH_LIFETIME: i64 = 60 * 24 * 60 * 60 * 1_000_000;

/// What one gets for registering, logging in or refreshing.
#[derive(Debug, Serialize, ToSchema)]
pub struct Session {
    /// Who you are.
    pub player: MyProfile,
    /// Goes into the `Authorization` header, after `Bearer `.
    #[schema(example = "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl")]
    pub access_token: String,
    /// Always `Bearer`.
    #[schema(example = "Bearer")]
    pub token_type: &'static str,
    /// For how many seconds the access token is good.
    #[schema(example = 900)]
    pub expires_in: u32,
    /// Gives new tokens, once, at `POST /v1/sessions/refresh`.
    #[schema(example = "kq3nY0y3o1S0r0m3T0k3nWith256BitsOfEntropy-_")]
    pub refresh_token: String,
}

/// Opens a session for a player.
pub async fn open(app: &App, player: player::Model, now: Timestamp) -> ApiResult<Session> {
    let id = clock::new_id(now);
    let work = store::begin(&app.db).await?;
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
    Ok(answer(app, player, id, refresh_token))
}

/// Exchanges a refresh token for new tokens.
pub async fn refresh(app: &App, token: &str, now: Timestamp) -> ApiResult<Session> {
    let hash = secret::hash(token.as_bytes()).to_vec();
    let work = store::begin(&app.db).await?;
    let used = refresh_token::Entity::update_many()
        .col_expr(refresh_token::Column::UsedAt, Expr::value(now.micros()))
        .filter(refresh_token::Column::TokenHash.eq(hash.clone()))
        .filter(refresh_token::Column::UsedAt.is_null())
        .exec(&work)
        .await?;
    let known = refresh_token::Entity::find_by_id(hash).one(&work).await?;
    let known = known.ok_or_else(refused)?;
    if used.rows_affected == 0 {
        end_in(&work, known.session_id, now).await?;
        work.commit().await?;
        tracing::warn!(session = %known.session_id, "a refresh token was used twice");
        return Err(ApiError::unauthorized(
            "refresh_token_reused",
            Text::new(
                "This refresh token was used before: the session is over; log in again.",
                "Este token de renovación ya se usó: la sesión ha terminado; vuelve a entrar.",
            ),
        ));
    }
    let session = session::Entity::find_by_id(known.session_id).one(&work).await?;
    let session = session
        .filter(|session| session.ended_at.is_none() && known.expires_at > now.micros())
        .ok_or_else(refused)?;
    let player = player::Entity::find_by_id(session.player_id).one(&work).await?;
    let player = player.ok_or_else(refused)?;
    let refresh_token = issue(&work, session.id, now).await?;
    work.commit().await?;
    Ok(answer(app, player, session.id, refresh_token))
}

/// Ends a session; its refresh tokens no longer work.
pub async fn end(app: &App, id: Uuid, now: Timestamp) -> ApiResult<()> {
    end_in(&app.db, id, now).await
}

async fn end_in(db: &impl ConnectionTrait, id: Uuid, now: Timestamp) -> ApiResult<()> {
    session::Entity::update_many()
        .col_expr(session::Column::EndedAt, Expr::value(now.micros()))
        .filter(session::Column::Id.eq(id))
        .filter(session::Column::EndedAt.is_null())
        .exec(db)
        .await?;
    Ok(())
}

async fn issue(db: &impl ConnectionTrait, session_id: Uuid, now: Timestamp) -> ApiResult<String> {
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

fn answer(app: &App, player: player::Model, session: Uuid, refresh_token: String) -> Session {
    let guest = player.password_hash.is_none();
    Session {
        access_token: app.tokens.sign(player.id, session, guest),
        token_type: "Bearer",
        expires_in: tokens::LIFETIME,
        refresh_token,
        player: MyProfile::from(player),
    }
}

fn refused() -> ApiError {
    ApiError::unauthorized(
        "invalid_refresh_token",
        Text::new(
            "This refresh token is unknown or has expired; log in again.",
            "Este token de renovación es desconocido o ha caducado; vuelve a entrar.",
        ),
    )
}
