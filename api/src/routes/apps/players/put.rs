//! `PUT /v1/apps/current/players/{external_id}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use serde::Deserialize;
use service::applications::ExternalProfile;
use utoipa::ToSchema;

use crate::{
    app::App,
    documents::{ApplicationPlayer, PlayerLanguage},
    error::ApiResult,
    http::Body,
    middleware::{ApplicationCaller, Endpoint},
};

/// A player of your application. Fields that are left out stay as they are.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Ana", "language": "es" }))]
pub struct PutApplicationPlayer {
    /// The public name: 2 to 30 characters. Others may have the same one. A new player without a name is called `Player` and a
    /// number.
    #[schema(min_length = 2, max_length = 30)]
    name: Option<String>,
    /// The language that the player reads.
    language: Option<PlayerLanguage>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_put_application_player, put_application_player)
}

/// Create or update a player of your application
///
/// The external id is your own id of the user: 1 to 128 characters. It is unique in your application, and nobody else sees it.
/// The player signs in through your application only, and cannot change the name or set a password. Repeating the request
/// is harmless.
#[utoipa::path(
    put,
    path = "/v1/apps/current/players/{external_id}",
    tag = "Applications",
    security(("application" = ["player:write"])),
    params(("external_id" = String, Path, description = "Your own id of the player.")),
    request_body = PutApplicationPlayer,
    responses(
        (status = 200, description = "The player, who existed already.", body = ApplicationPlayer),
        (status = 201, description = "The new player.", body = ApplicationPlayer),
    ),
)]
pub async fn put_application_player(
    app: Data<App>,
    caller: ApplicationCaller,
    id: Path<String>,
    body: Body<PutApplicationPlayer>,
) -> ApiResult<HttpResponse> {
    let PutApplicationPlayer { name, language } = body.value;
    let profile = ExternalProfile { name, language: language.map(Into::into) };
    let (application, now) = (caller.0.application, app.clock.now());
    let put = app.applications.put_player(application, &id, profile, now).await?;
    let mut response = if put.is_new { HttpResponse::Created() } else { HttpResponse::Ok() };
    Ok(response.json(ApplicationPlayer::from(put.player)))
}
