//! `GET /v1/matches/{id}/legal-moves`

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path},
};
use domain::{game::Refusal, matches::MatchRefusal};
use service::live::Consistency;
use uuid::Uuid;

use crate::{
    app::App,
    documents::LegalMoves,
    error::{ApiError, ApiResult, Forbidden, NotFound},
    http::{IfNoneMatch, Language, ReadConsistency},
    middleware::{Caller, Endpoint},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_legal_moves, list_legal_moves)
}

/// List legal moves
///
/// Your legal moves. The list is empty when it is not your turn, and when the match has not started, is paused or is over.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/legal-moves",
    tag = "Moves",
    security(("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("Accept-Language" = Option<String>, Header, description = "The language of the labels: `en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "Your legal moves.", body = LegalMoves,
         headers(("ETag" = String, description = "The version, your seat and the language."))),
        (status = 304, description = "The response has not changed."),
        Forbidden,
        NotFound,
    ),
)]
pub async fn list_legal_moves(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
    consistency: ReadConsistency,
    language: Language,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let player = caller.player;
    let m = app.visible_match(*id, Some(player), consistency.0).await?;
    // A caller without a seat may have taken one through another replica a moment ago.
    let m = match m.seat_of(player) {
        Some(_) => m,
        None => app.visible_match(*id, Some(player), Consistency::Store).await?,
    };
    let seat = m.seat_of(player).ok_or_else(|| {
        let info = MatchRefusal::NotSeated.info();
        ApiError::new(StatusCode::FORBIDDEN, info.code, info.text)
    })?;
    let tag = format!("\"{}-{}-{}\"", m.version(), seat.number(), language.0.tag());
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "private, no-cache"));
    response.insert_header((header::VARY, "Authorization, Accept-Language"));
    response.insert_header((header::ETAG, tag.clone()));
    if known.has(&tag) {
        response.status(StatusCode::NOT_MODIFIED);
        return Ok(response.finish());
    }
    Ok(response.json(LegalMoves::new(&m, seat, language.0)))
}
