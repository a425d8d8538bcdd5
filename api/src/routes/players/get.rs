//! `GET /v1/players/{id}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use sea_orm::EntityTrait;
use uuid::Uuid;

use crate::documents::Profile;
use store::entities::player;

use crate::{
    app::App,
    error::{ApiError, ApiResult, NotFound},
    http::{IfNoneMatch, Tagged},
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_player, get_player)
}

/// A player
#[utoipa::path(
    get,
    path = "/v1/players/{id}",
    tag = "Players",
    params(
        ("id" = Uuid, Path, description = "The id of the player."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "The player as others see it.", body = Profile,
         headers(("ETag" = String, description = "Made of the content."))),
        (status = 304, description = "You have it already."),
        NotFound,
    ),
)]
pub async fn get_player(
    app: Data<App>,
    id: Path<Uuid>,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let player = player::Entity::find_by_id(*id).one(&app.db).await?;
    let profile = Profile::from(player.ok_or_else(ApiError::not_found)?);
    Ok(Tagged::of(&profile).respond(&known, "public, no-cache", None))
}
