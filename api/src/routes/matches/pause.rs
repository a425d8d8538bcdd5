//! `POST /v1/matches/{id}/pause`

use actix_web::{HttpResponse, web::Data};
use domain::matches::Command;

use super::command::{CommandRequest, CommandResult, execute};

use crate::{
    app::App,
    error::{ApiResult, Conflict, Forbidden, NotFound, Stale, Unprocessable},
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_pause_match, pause_match)
}

/// Ask for a pause
///
/// The match is paused once every player who has not resigned has asked. Your request stands until you move or take it back
/// with `resume`. During a pause moves are refused and no deadline passes.
#[utoipa::path(
    post,
    path = "/v1/matches/{id}/pause",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key gets the first answer."),
        ("If-Match" = Option<String>, Header, description = "The version that you decided upon, in double quotes."),
        ("Prefer" = Option<String>, Header, description = "`return=minimal` leaves out the `view`: less to send for clients that keep track of the game by themselves.", example = "return=minimal"),
    ),
    responses((status = 200, description = "What happened.", body = CommandResult,
         headers(("ETag" = String, description = "The version of the match now."))), Forbidden, NotFound, Conflict, Stale, Unprocessable),
)]
pub async fn pause_match(app: Data<App>, request: CommandRequest) -> ApiResult<HttpResponse> {
    execute(&app, request, |player| Command::Pause { player }).await
}
