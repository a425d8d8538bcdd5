//! `GET /v1/matches/{id}/luck`

use actix_web::{
    HttpResponse,
    http::StatusCode,
    web::{Data, Path},
};
use domain::{matches::Match, text::Text};
use uuid::Uuid;

use super::viewpoint::cache_control;
use crate::{
    app::App,
    documents::MatchLuck,
    error::{ApiError, ApiResult, Conflict, NotFound},
    http::{Address, IfNoneMatch, Language, ReadConsistency, Tagged},
    middleware::{Endpoint, MaybeCaller},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_luck, get_luck)
}

/// Get the luck of a match
///
/// Compares dice and draws with what could be expected at the time: for every roll and draw, the mean and the variance over all
/// possible outcomes, given what was known right before. In the long run the differences average out, however one plays; `z` says how
/// unusual a match was. Each figure describes what it counts; docs/luck.md explains them. Luck would reveal hidden information, so
/// the match must be over. In a fork, only what happened in the fork itself counts.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/luck",
    tag = "Statistics",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("Accept-Language" = Option<String>, Header, description = "The language of the texts: `en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The luck of every seat.", body = MatchLuck,
         headers(("ETag" = String, description = "A digest of the content."))),
        (status = 304, description = "The response has not changed."),
        NotFound,
        Conflict,
    ),
)]
pub async fn get_luck(
    app: Data<App>,
    caller: MaybeCaller,
    address: Address,
    id: Path<Uuid>,
    consistency: ReadConsistency,
    language: Language,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let m = app.visible_match(*id, caller.player(), consistency.0).await?;
    if !m.status().is_over() {
        let text = Text::new(
            "The match is not over; until then, luck would reveal hidden information.",
            "La partida no ha terminado; hasta entonces, la suerte revelaría información oculta.",
        );
        let error = ApiError::new(StatusCode::CONFLICT, "match_not_over", text);
        return Err(error.version(m.version()));
    }
    let turn = app.bulkheads.records.enter(address.0).await?;
    let log = app.matches.history().whole(*id, m.version()).await?;
    let ledger = turn.work(move || Match::luck(&log)).await??;
    let document = MatchLuck::new(&m, &ledger.ok_or_else(ApiError::internal)?, language.0);
    let tagged = Tagged::of(&document);
    Ok(tagged.respond(&known, cache_control(&m), Some("Accept-Language, Authorization")))
}
