//! `GET /v1/games/{game}`

use actix_web::{HttpResponse, web::Path};

use crate::{
    documents::GameDetails,
    error::{ApiResult, NotFound},
    http::{IfNoneMatch, Language, Tagged, game_in_path},
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_game, get_game)
}

/// Get a game
///
/// Seats, options, moves and views as JSON Schema, measures, refusals, and the rules.
#[utoipa::path(
    get,
    path = "/v1/games/{game}",
    tag = "Games",
    params(
        ("game" = String, Path, description = "The key of the game.", example = "qwinto"),
        ("Accept-Language" = Option<String>, Header, description = "The language of the texts: `en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The game.", body = GameDetails,
         headers(("ETag" = String, description = "A digest of the content."))),
        (status = 304, description = "The response has not changed."),
        NotFound,
    ),
)]
pub async fn get_game(
    key: Path<String>,
    language: Language,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let details = GameDetails::new(game_in_path(&key)?, language.0);
    let details = Tagged::of(&details);
    Ok(details.respond(&known, "public, max-age=300", Some("Accept-Language")))
}
