//! `DELETE /v1/me/blocks/{player}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiError, ApiResult, NotFound},
    middleware::{Caller, Endpoint},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_unblock_player, unblock_player)
}

/// Unblock a player
#[utoipa::path(
    delete,
    path = "/v1/me/blocks/{player}",
    tag = "Players",
    security(("bearer" = ["session"])),
    params(("player" = Uuid, Path, description = "The id of the player.")),
    responses((status = 204, description = "The player is not blocked any more."), NotFound),
)]
pub async fn unblock_player(
    app: Data<App>,
    caller: Caller,
    player: Path<Uuid>,
) -> ApiResult<HttpResponse> {
    if !app.blocks.unblock(caller.player, *player).await? {
        return Err(ApiError::not_found());
    }
    Ok(HttpResponse::NoContent().finish())
}
