//! `GET /v1/apps/current/players/{external_id}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};

use super::find;
use crate::{
    app::App,
    documents::ApplicationPlayer,
    error::{ApiResult, NotFound},
    http::{IfNoneMatch, Tagged},
    middleware::{ApplicationCaller, Endpoint},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_application_player, get_application_player)
}

/// Get a player of your application
#[utoipa::path(
    get,
    path = "/v1/apps/current/players/{external_id}",
    tag = "Applications",
    security(("application" = ["player:write"])),
    params(
        ("external_id" = String, Path, description = "Your own id of the player."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the copy that you have."),
    ),
    responses(
        (status = 200, description = "The player.", body = ApplicationPlayer,
         headers(("ETag" = String, description = "A digest of the content."))),
        (status = 304, description = "Your copy is up to date."),
        NotFound,
    ),
)]
pub async fn get_application_player(
    app: Data<App>,
    caller: ApplicationCaller,
    id: Path<String>,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let player = ApplicationPlayer::from(find(&app, caller, &id).await?);
    Ok(Tagged::of(&player).respond(&known, "private, no-cache", Some("Authorization")))
}
