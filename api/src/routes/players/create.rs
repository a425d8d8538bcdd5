//! `POST /v1/players`

use actix_web::{HttpResponse, post, web::Data};
use sea_orm::{ActiveValue::Set, EntityTrait};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{explain, name_key, valid_email, valid_name, valid_password};
use crate::{
    app::App,
    auth::{
        passwords,
        sessions::{self, Session},
    },
    clock,
    entities::player,
    error::{ApiResult, Conflict, Unprocessable},
    http::{Body, IdempotencyKey, claim},
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

/// Register an account
///
/// A retry with the same `Idempotency-Key` opens another session for the same account.
#[utoipa::path(
    tag = "Players",
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes a retry harmless.")),
    request_body = NewPlayer,
    responses((status = 201, description = "Welcome.", body = Session), Conflict, Unprocessable),
)]
#[post("/v1/players")]
pub async fn create_player(
    app: Data<App>,
    key: IdempotencyKey,
    body: Body<NewPlayer>,
) -> ApiResult<HttpResponse> {
    let now = clock::now();
    let name = valid_name(&body.value.name)?;
    let password = valid_password(body.value.password)?;
    let email = body.value.email.as_deref().map(valid_email).transpose()?;
    let id = claim(&app, "players", &key, &body.bytes, now).await?;
    let player = match player::Entity::find_by_id(id).one(&app.db).await? {
        Some(player) => player,
        None => {
            let player = player::Model {
                id,
                name_key: Some(name_key(&name)),
                name,
                email,
                password_hash: Some(passwords::hash(password).await?),
                created_at: now.micros(),
            };
            let active = player::ActiveModel {
                id: Set(player.id),
                name: Set(player.name.clone()),
                name_key: Set(player.name_key.clone()),
                email: Set(player.email.clone()),
                password_hash: Set(player.password_hash.clone()),
                created_at: Set(player.created_at),
            };
            player::Entity::insert(active)
                .exec_without_returning(&app.db)
                .await
                .map_err(explain)?;
            player
        }
    };
    Ok(HttpResponse::Created().json(sessions::open(&app, player, now).await?))
}
