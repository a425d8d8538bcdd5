//! `GET /v1/games`

use actix_web::HttpResponse;
use domain::games;
use serde::Serialize;
use utoipa::ToSchema;

use super::{GameSummary, summary};

use crate::{
    error::ApiResult,
    http::{IfNoneMatch, Language, Tagged},
    middleware::Endpoint,
};

/// All games.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameList {
    /// One entry a game.
    games: Vec<GameSummary>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_list_games, list_games)
}

/// The games that are played here
#[utoipa::path(
    get,
    path = "/v1/games",
    tag = "Games",
    params(
        ("Accept-Language" = Option<String>, Header, description = "`en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "All games.", body = GameList,
         headers(("ETag" = String, description = "Made of the content."))),
        (status = 304, description = "You have it already."),
    ),
)]
pub async fn list_games(language: Language, known: IfNoneMatch) -> ApiResult<HttpResponse> {
    let list = GameList { games: games::all().map(|game| summary(game, language.0)).collect() };
    Ok(Tagged::of(&list)?.respond(&known, "public, max-age=300", Some("Accept-Language")))
}
