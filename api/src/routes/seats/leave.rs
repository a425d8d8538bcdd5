//! `DELETE /v1/matches/{id}/seats`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use domain::matches::Command;
use service::live::{CommandContext, Consistency};
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiError, ApiResult, Conflict, Forbidden, NotFound},
    http::IdempotencyKey,
    middleware::{Caller, Endpoint},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_leave_seat, leave_seat)
}

/// Leave a seat
///
/// Only before the match has started. When the last player leaves, the match is abandoned.
#[utoipa::path(
    delete,
    path = "/v1/matches/{id}/seats",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(("id" = Uuid, Path, description = "The id of the match.")),
    responses((status = 204, description = "Your seat is free."), Forbidden, NotFound, Conflict),
)]
pub async fn leave_seat(app: Data<App>, caller: Caller, id: Path<Uuid>) -> ApiResult<HttpResponse> {
    app.visible_match(*id, Some(caller.player), Consistency::Local).await?;
    let now = app.clock.now();
    let command_id = IdempotencyKey(None).command_id(caller.player, now);
    let command = Command::Leave { player: caller.player };
    let context = CommandContext::new(command_id, now);
    app.matches.execute(*id, &command, &context).await?.ok_or_else(ApiError::not_found)?;
    Ok(HttpResponse::NoContent().finish())
}
