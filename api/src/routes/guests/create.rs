//! `POST /v1/guests`

use actix_web::{HttpResponse, web::Data};
use sea_orm::{ActiveValue::Set, EntityTrait, sea_query::OnConflict};
use serde::Deserialize;
use utoipa::ToSchema;

use service::{creations, secret};
use store::entities::player;

use crate::{
    app::App,
    documents::Session,
    error::{ApiError, ApiResult, Unprocessable},
    http::{Address, Body, IdempotencyKey},
    limits::RateClass,
    middleware::Endpoint,
    routes::players::valid_name,
};

/// A guest who would like to play.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Ana" }))]
pub struct NewGuest {
    /// What others see, 2 to 30 characters; `Guest` and a number if left out. Need not be unique.
    #[schema(min_length = 2, max_length = 30)]
    name: Option<String>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_create_guest, create_guest).limited_as(RateClass::SignIn)
}

/// Play as a guest
///
/// The quickest way in: no password, no e-mail. A guest becomes an account by `PATCH /v1/me` with a password.
/// A retry with the same `Idempotency-Key` from the same address opens another session for the same guest, as long as it is one.
#[utoipa::path(
    post,
    path = "/v1/guests",
    tag = "Players",
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes a retry harmless.")),
    request_body = NewGuest,
    responses((status = 201, description = "Here you are.", body = Session), Unprocessable),
)]
pub async fn create_guest(
    app: Data<App>,
    key: IdempotencyKey,
    address: Address,
    body: Body<NewGuest>,
) -> ApiResult<HttpResponse> {
    let now = app.clock.now();
    // Nothing but the key would tell a guest from a stranger who happens to use the same one.
    let address = secret::hash(address.0.to_string().as_bytes());
    let scope = format!("guests/{}", hex::encode(&address[..8]));
    let id = creations::claim(&app.db, &scope, key.0.as_deref(), &body.bytes, now).await?;
    let name = match body.value.name {
        Some(name) => valid_name(&name)?,
        None => format!("Guest {}", &id.simple().to_string()[26..]),
    };
    player::Entity::insert(player::ActiveModel {
        id: Set(id),
        name: Set(name),
        name_key: Set(None),
        email: Set(None),
        password_hash: Set(None),
        created_at: Set(now.micros()),
        account_since: Set(None),
    })
    .on_conflict(OnConflict::new().do_nothing().to_owned())
    .exec_without_returning(&app.db)
    .await?;
    let player =
        player::Entity::find_by_id(id).one(&app.db).await?.ok_or_else(ApiError::internal)?;
    if player.password_hash.is_some() {
        // A guest no longer: a password opens sessions now.
        return Err(ApiError::key_reused());
    }
    Ok(HttpResponse::Created().json(Session::from(app.sessions.open(player, now).await?)))
}
