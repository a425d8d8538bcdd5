//! `GET /v1/matches/{id}/hint`

use std::sync::Arc;

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path},
};
use domain::{
    bot::BotLevel,
    matches::{MatchRefusal, Refused},
};
use serde::Deserialize;
use service::live::Consistency;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    app::App,
    documents::Hint,
    error::{ApiError, ApiResult, Forbidden, NotFound},
    http::{Address, IfNoneMatch, Language, Params},
    middleware::{Caller, Endpoint},
};

/// How much to think.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HintQuery {
    /// The level of the bot that is asked; `club` by default. Higher levels cost more of what a player may spend on hints.
    #[param(inline, example = "club")]
    level: Option<BotLevel>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_hint, get_hint)
}

/// Ask for a hint
///
/// The best moves for your seat, as a bot sees them, with what they are expected to lead to. The bot knows only what you know. The
/// same position and level give the same hint. Allowed in matches that were created with `hints`, and in matches with one seat.
/// What you may spend on hints is limited (`--rate-hints`): a hint of `novice` costs 1, `casual` 2, `club` 5, `expert` 20 and
/// `master` 60 per minute.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/hint",
    tag = "Moves",
    security(("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        HintQuery,
        ("Accept-Language" = Option<String>, Header, description = "The language of the labels: `en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The best moves.", body = Hint,
         headers(("ETag" = String, description = "The version, your seat, the level and the language."))),
        (status = 304, description = "The response has not changed."),
        Forbidden,
        NotFound,
    ),
)]
pub async fn get_hint(
    app: Data<App>,
    caller: Caller,
    address: Address,
    id: Path<Uuid>,
    query: Params<HintQuery>,
    language: Language,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    // Advice on an outdated position would be of no use.
    let m = app.visible_match(*id, Some(caller.player), Consistency::Store).await?;
    let refuse = |refusal| ApiError::refused(Refused::Match(refusal), m.game().info().key);
    let seat = m.seat_of(caller.player).ok_or_else(|| refuse(MatchRefusal::NotSeated))?;
    if !m.allows_hints() {
        return Err(refuse(MatchRefusal::NoHints));
    }
    let level = query.0.level.unwrap_or(BotLevel::Club);
    let lang = language.0;
    let tag = format!("\"{}-{}-{}-{}\"", m.version(), seat.number(), level.id(), lang.tag());
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "private, no-cache"));
    response.insert_header((header::VARY, "Authorization, Accept-Language"));
    response.insert_header((header::ETAG, tag.clone()));
    if known.has(&tag) {
        response.status(StatusCode::NOT_MODIFIED);
        return Ok(response.finish());
    }
    if !m.to_act().contains(seat) {
        return Ok(response.json(Hint::new(&m, seat, level, None, lang)));
    }
    app.limits.charge_hint(caller.player, level)?;
    let turn = app.bulkheads.bots.enter(address.0).await?;
    let choice = app.thinking.hint(&turn, Arc::clone(&m), seat, level).await?;
    Ok(response.json(Hint::new(&m, seat, level, choice.as_ref(), lang)))
}
