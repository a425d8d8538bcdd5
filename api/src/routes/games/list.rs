//! `GET /v1/games`

use actix_web::{HttpResponse, get};
use domain::games;
use serde::Serialize;
use utoipa::ToSchema;

use super::{GameSummary, summary};

use crate::{
    error::ApiResult,
    http::{IfNoneMatch, Language, Tagged},
};

/// All games.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameList {
    /// One entry a game.
    games: Vec<GameSummary>,
}

/// The games that are played here
#[utoipa::path(
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
#[get("/v1/games")]
pub async fn list_games(language: Language, known: IfNoneMatch) -> ApiResult<HttpResponse> {
    let list = GameList { games: games::all().map(|game| summary(game, language.0)).collect() };
    Ok(Tagged::of(&list)?.respond(&known, "public, max-age=300", Some("Accept-Language")))
}
