//! `GET /v1/games`

use actix_web::{get, web::Json};
use domain::games;
use serde::Serialize;
use utoipa::ToSchema;

use super::{GameSummary, summary};
use crate::http::Language;

/// All games.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameList {
    /// One entry a game.
    games: Vec<GameSummary>,
}

/// The games that are played here
#[utoipa::path(
    tag = "Games",
    params(("Accept-Language" = Option<String>, Header, description = "`en` or `es`.")),
    responses((status = 200, description = "All games.", body = GameList)),
)]
#[get("/v1/games")]
pub async fn list_games(language: Language) -> Json<GameList> {
    Json(GameList { games: games::all().map(|game| summary(game, language.0)).collect() })
}
