//! `POST /v1/matches/{id}/return`

use actix_web::{HttpResponse, web::Data};
use domain::matches::Command;

use super::command::{CommandRequest, execute};
use crate::{
    app::App,
    documents::CommandResult,
    error::{ApiResult, Conflict, Forbidden, NotFound, Stale, Unprocessable},
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_return_to_match, return_to_match)
}

/// Take your seat back from a bot
///
/// In a match with `on_timeout: bot`, a bot plays for players who run out of time. This ends it, as does any other command of
/// yours. You then have the full time for your decision.
#[utoipa::path(
    post,
    path = "/v1/matches/{id}/return",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key returns the first response."),
        ("If-Match" = Option<String>, Header, description = "The version that the command is based on, in double quotes."),
        ("Prefer" = Option<String>, Header, description = "`return=minimal` omits the `view`, for clients that track the game themselves.", example = "return=minimal"),
    ),
    responses((status = 200, description = "The result of the command.", body = CommandResult,
         headers(("ETag" = String, description = "The version of the match."))), Forbidden, NotFound, Conflict, Stale, Unprocessable),
)]
pub async fn return_to_match(app: Data<App>, request: CommandRequest) -> ApiResult<HttpResponse> {
    execute(&app, request, |player| Command::Return { player }).await
}
