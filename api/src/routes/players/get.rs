//! `GET /v1/players/{id}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use domain::bot::BotLevel;
use uuid::Uuid;

use crate::{
    app::App,
    documents::Profile,
    error::{ApiError, ApiResult, NotFound},
    http::{IfNoneMatch, Tagged},
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_player, get_player)
}

/// Get a player
#[utoipa::path(
    get,
    path = "/v1/players/{id}",
    tag = "Players",
    params(
        ("id" = Uuid, Path, description = "The id of the player."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the copy that you have."),
    ),
    responses(
        (status = 200, description = "The public profile of the player.", body = Profile,
         headers(("ETag" = String, description = "A digest of the content."))),
        (status = 304, description = "Your copy is up to date."),
        NotFound,
    ),
)]
pub async fn get_player(
    app: Data<App>,
    id: Path<Uuid>,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let profile = match BotLevel::of(*id) {
        Some(level) => Profile::from(level),
        None => app.accounts.find(*id).await?.ok_or_else(ApiError::not_found)?.into(),
    };
    Ok(Tagged::of(&profile).respond(&known, "public, no-cache", None))
}
