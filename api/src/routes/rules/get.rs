//! `GET /v1/rules`

use actix_web::HttpResponse;

use crate::{
    documents::MatchRules,
    http::{IfNoneMatch, Language, Tagged},
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_rules, get_rules)
}

/// Get the rules of every match
///
/// The rules that apply to every game, before its own rules begin and after they end: seats, starting, resigning, forks, time limits and
/// pauses. Refused commands refer to their numbers, `M1` to `M14`. The rules of a game are part of `GET /v1/games/{game}`.
#[utoipa::path(
    get,
    path = "/v1/rules",
    tag = "Games",
    params(
        ("Accept-Language" = Option<String>, Header, description = "The language of the refusals: `en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The rules.", body = MatchRules,
         headers(("ETag" = String, description = "A digest of the content."))),
        (status = 304, description = "The response has not changed."),
    ),
)]
pub async fn get_rules(language: Language, known: IfNoneMatch) -> HttpResponse {
    let rules = Tagged::of(&MatchRules::new(language.0));
    rules.respond(&known, "public, max-age=300", Some("Accept-Language"))
}
