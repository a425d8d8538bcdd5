//! `POST /v1/matches/{id}/resume`

use actix_web::{
    HttpResponse, post,
    web::{Data, Path},
};
use domain::matches::Command;
use uuid::Uuid;

use super::{Answer, respond, visible};
use crate::{
    app::App,
    auth::{Caller, MaybeCaller},
    clock,
    error::{ApiError, ApiResult, Conflict, Forbidden, NotFound, Stale, Unprocessable},
    http::{IdempotencyKey, IfMatch, Language},
    live::{Freshness, Order},
};

/// End a pause
///
/// Everybody has as much time left as when the pause began. Before the pause has begun, this takes your request for one back.
#[utoipa::path(
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key gets the first answer."),
        ("If-Match" = Option<String>, Header, description = "The version that you decided upon, in double quotes."),
    ),
    responses((status = 200, description = "What happened.", body = Answer,
         headers(("ETag" = String, description = "The version of the match now."))), Forbidden, NotFound, Conflict, Stale, Unprocessable),
)]
#[post("/v1/matches/{id}/resume")]
pub async fn resume_match(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
    key: IdempotencyKey,
    if_match: IfMatch,
    language: Language,
) -> ApiResult<HttpResponse> {
    visible(&app, *id, MaybeCaller(Some(caller)), Freshness::Known).await?;
    let now = clock::now();
    let order =
        Order { command_id: key.command_id(caller.player, now), if_match: if_match.0, at: now };
    let command = Command::Resume { player: caller.player };
    let done = app.matches.execute(*id, &command, &order).await?;
    Ok(respond(&done.ok_or_else(ApiError::not_found)?, caller.player, language.0))
}
