//! `POST /v1/players`

use actix_web::{HttpResponse, web::Data};
use domain::time::Timestamp;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, EntityTrait};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{explain, name_key, valid_email, valid_name, valid_password};
use service::{creations, identity::passwords};
use store::entities::player;

use crate::{
    app::App,
    documents::Session,
    error::{ApiResult, Conflict, Unprocessable},
    http::{Body, IdempotencyKey},
    limits::RateClass,
    middleware::Endpoint,
};

/// Somebody who would like an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Ana", "password": "correct horse battery" }))]
pub struct NewPlayer {
    /// What others see; unique whatever the case, 2 to 30 characters.
    #[schema(min_length = 2, max_length = 30)]
    name: String,
    /// 8 to 128 characters.
    #[schema(min_length = 8, max_length = 128, format = Password)]
    password: String,
    /// Seen by nobody else.
    #[schema(max_length = 254)]
    email: Option<String>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_create_player, create_player).limited_as(RateClass::SignIn)
}

/// Register an account
///
/// A retry with the same `Idempotency-Key` opens another session for the same account.
#[utoipa::path(
    post,
    path = "/v1/players",
    tag = "Players",
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes a retry harmless.")),
    request_body = NewPlayer,
    responses((status = 201, description = "Welcome.", body = Session), Conflict, Unprocessable),
)]
pub async fn create_player(
    app: Data<App>,
    key: IdempotencyKey,
    body: Body<NewPlayer>,
) -> ApiResult<HttpResponse> {
    let now = app.clock.now();
    let name = valid_name(&body.value.name)?;
    let password = valid_password(body.value.password)?;
    let email = body.value.email.as_deref().map(valid_email).transpose()?;
    let id = creations::claim(&app.db, "players", key.0.as_deref(), &body.bytes, now).await?;
    let player = match player::Entity::find_by_id(id).one(&app.db).await? {
        Some(player) => player,
        None => insert(&app, id, name, email, passwords::hash(password).await?, now).await?,
    };
    Ok(HttpResponse::Created().json(Session::from(app.sessions.open(player, now).await?)))
}

async fn insert(
    app: &App,
    id: Uuid,
    name: String,
    email: Option<String>,
    password_hash: String,
    now: Timestamp,
) -> ApiResult<player::Model> {
    let player = player::ActiveModel {
        id: Set(id),
        name_key: Set(Some(name_key(&name))),
        name: Set(name),
        email: Set(email),
        password_hash: Set(Some(password_hash)),
        created_at: Set(now.micros()),
        account_since: Set(Some(now.micros())),
    };
    player.insert(&app.db).await.map_err(explain)
}
