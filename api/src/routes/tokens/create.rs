//! `POST /v1/me/tokens`

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::Data,
};
use domain::text::Text;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, sea_query::OnConflict,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::AccessToken;
use service::{
    creations,
    identity::{Scope, Scopes, personal},
    secret,
};
use store::entities::access_token;

use crate::{
    app::App,
    error::{ApiError, ApiResult, Conflict, Unprocessable},
    http::{Body, IdempotencyKey},
    middleware::Caller,
    middleware::Endpoint,
};

/// How many tokens a player may have.
const MOST: u64 = 50;
const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// A token to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "My Qwinto bot", "scopes": ["match:read", "match:play"] }))]
pub struct NewAccessToken {
    /// What you call it, 1 to 60 characters.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// What it may do: one scope at least.
    #[schema(min_items = 1)]
    scopes: Vec<Scope>,
    /// For how many days it is good; 90 if left out.
    #[serde(default = "ninety")]
    #[schema(value_type = Option<u16>, minimum = 1, maximum = 366, default = 90)]
    expires_in_days: u16,
}

const fn ninety() -> u16 {
    90
}

/// A new token, with its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedAccessToken {
    /// The token.
    #[serde(flatten)]
    token: AccessToken,
    /// Goes into the `Authorization` header, after `Bearer `. Shown this once: only its hash is stored.
    #[schema(example = "telar_pat_0000000000000000000000000000000000000000000000")]
    secret: String,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_create_token, create_token)
}

/// Create a personal access token
///
/// For bots and for programs of third parties: it does no more than its scopes say, and it never manages tokens, password or
/// account. The secret is shown only here; it matches `telar_pat_[0-9A-Za-z]{46}`. A retry with the same `Idempotency-Key`
/// finds the same token and gives it a new secret.
#[utoipa::path(
    post,
    path = "/v1/me/tokens",
    tag = "Tokens",
    security(("bearer" = ["session"])),
    params(("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key makes no second token.")),
    request_body = NewAccessToken,
    responses(
        (status = 201, description = "The token and its secret.", body = CreatedAccessToken,
         headers(("Location" = String, description = "Where it can be revoked."))),
        Conflict, Unprocessable,
    ),
)]
pub async fn create_token(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    body: Body<NewAccessToken>,
) -> ApiResult<HttpResponse> {
    let now = app.clock.now();
    let wanted = body.value;
    let name = valid_name(&wanted.name)?;
    let days = valid_days(wanted.expires_in_days)?;
    if wanted.scopes.is_empty() {
        let text = Text::new("Name at least one scope.", "Indica al menos un permiso.");
        return Err(ApiError::bad_field("scopes", text));
    }
    let held = access_token::Entity::find()
        .filter(access_token::Column::PlayerId.eq(caller.player))
        .count(&app.db)
        .await?;
    if held >= MOST {
        return Err(too_many());
    }
    let scope = format!("tokens/{}", caller.player);
    let id = creations::claim(&app.db, &scope, key.0.as_deref(), &body.bytes, now).await?;
    let secret = personal::generate();
    let token = access_token::Model {
        id,
        token_hash: secret::hash(secret.as_bytes()).to_vec(),
        player_id: caller.player,
        name,
        scopes: wanted.scopes.into_iter().collect::<Scopes>().to_string(),
        created_at: now.micros(),
        expires_at: now.micros() + i64::from(days) * DAY_MICROS,
        last_used_at: None,
    };
    let renewed = OnConflict::column(access_token::Column::Id)
        .update_columns([access_token::Column::TokenHash, access_token::Column::ExpiresAt])
        .to_owned();
    access_token::Entity::insert(active(token.clone()))
        .on_conflict(renewed)
        .exec_without_returning(&app.db)
        .await?;
    app.personal_tokens.forget();
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/v1/me/tokens/{id}")))
        .json(CreatedAccessToken { token: token.into(), secret }))
}

fn active(token: access_token::Model) -> access_token::ActiveModel {
    access_token::ActiveModel {
        id: Set(token.id),
        token_hash: Set(token.token_hash),
        player_id: Set(token.player_id),
        name: Set(token.name),
        scopes: Set(token.scopes),
        created_at: Set(token.created_at),
        expires_at: Set(token.expires_at),
        last_used_at: Set(token.last_used_at),
    }
}

fn valid_name(name: &str) -> ApiResult<String> {
    let name = name.trim();
    if (1..=60).contains(&name.chars().count()) && !name.chars().any(char::is_control) {
        return Ok(name.to_owned());
    }
    Err(ApiError::bad_field(
        "name",
        Text::new(
            "The name of a token has 1 to 60 characters, none of them a control character.",
            "El nombre de un token tiene de 1 a 60 caracteres, ninguno de control.",
        ),
    ))
}

fn valid_days(days: u16) -> ApiResult<u16> {
    if (1..=366).contains(&days) {
        return Ok(days);
    }
    Err(ApiError::bad_field(
        "expires_in_days",
        Text::new("A token is good for 1 to 366 days.", "Un token vale de 1 a 366 días."),
    ))
}

fn too_many() -> ApiError {
    ApiError::new(
        StatusCode::CONFLICT,
        "too_many_tokens",
        Text::new(
            "You have 50 tokens already; revoke one that you do not need.",
            "Ya tienes 50 tokens; revoca alguno que no necesites.",
        ),
    )
}
