//! `GET /v1/games`

use actix_web::HttpResponse;
use domain::games;

use crate::{
    documents::{GameList, GameSummary},
    http::{IfNoneMatch, Language, Tagged},
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_games, list_games)
}

/// List games
#[utoipa::path(
    get,
    path = "/v1/games",
    tag = "Games",
    params(
        ("Accept-Language" = Option<String>, Header, description = "The language of the texts: `en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "All games.", body = GameList,
         headers(("ETag" = String, description = "A digest of the content."))),
        (status = 304, description = "The response has not changed."),
    ),
)]
pub async fn list_games(language: Language, known: IfNoneMatch) -> HttpResponse {
    let games = games::all().map(|game| GameSummary::new(game, language.0)).collect();
    let list = Tagged::of(&GameList { games });
    list.respond(&known, "public, max-age=300", Some("Accept-Language"))
}
