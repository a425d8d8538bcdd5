//! `POST /v1/matches/{id}/resume`

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
    Endpoint::new(&__path_resume_match, resume_match)
}

/// End a pause
///
/// Every seat has as much time left as when the pause began. Before the pause has begun, this withdraws your request for one.
#[utoipa::path(
    post,
    path = "/v1/matches/{id}/resume",
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
pub async fn resume_match(app: Data<App>, request: CommandRequest) -> ApiResult<HttpResponse> {
    execute(&app, request, |player| Command::Resume { player }).await
}
