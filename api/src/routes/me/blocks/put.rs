//! `PUT /v1/me/blocks/{player}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiResult, Conflict, NotFound, Unprocessable},
    middleware::{Caller, Endpoint},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_block_player, block_player)
}

/// Block a player
///
/// From now on, neither of you can invite the other, take a seat in an open match in which the other sits, or ask for a rematch
/// with the other. Matches in which you both sit already go on. The player is not told. You can block 1,000 players; blocking the
/// same player again changes nothing.
#[utoipa::path(
    put,
    path = "/v1/me/blocks/{player}",
    tag = "Players",
    security(("bearer" = ["session"])),
    params(("player" = Uuid, Path, description = "The id of the player.")),
    responses((status = 204, description = "The player is blocked."), NotFound, Conflict, Unprocessable),
)]
pub async fn block_player(
    app: Data<App>,
    caller: Caller,
    player: Path<Uuid>,
) -> ApiResult<HttpResponse> {
    app.blocks.block(caller.player, *player, app.clock.now()).await?;
    Ok(HttpResponse::NoContent().finish())
}
