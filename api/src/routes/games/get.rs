//! `GET /v1/games/{game}`

use actix_web::{HttpResponse, web::Path};
use domain::{erased::AnyGame, games, text::Lang};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    BothLanguages, GameSummary, LuckFigure, Measure, Named, RefusalReason, luck_figure, measure,
    summary,
};

use crate::{
    error::{ApiError, ApiResult, NotFound},
    http::{IfNoneMatch, Language, Tagged},
    middleware::Endpoint,
};

/// Everything about a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameDetails {
    /// The game in short.
    #[serde(flatten)]
    summary: GameSummary,
    /// The rules in Markdown; refused moves name their numbers.
    rules: BothLanguages,
    /// JSON Schema of the options at creation.
    #[schema(value_type = Object)]
    options_schema: Value,
    /// JSON Schema of a move.
    #[schema(value_type = Object)]
    move_schema: Value,
    /// JSON Schema of a view.
    #[schema(value_type = Object)]
    view_schema: Value,
    /// JSON Schema of an event.
    #[schema(value_type = Object)]
    event_schema: Value,
    /// The lines of the score breakdown.
    score_lines: Vec<Named>,
    /// What statistics are made of.
    measures: Vec<Measure>,
    /// What `GET /v1/matches/{id}/luck` tells of a match that is over.
    luck: Vec<LuckFigure>,
    /// Why a move can be refused.
    refusals: Vec<RefusalReason>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_game, get_game)
}

/// A game: seats, options, moves and views as JSON Schema, measures, rules
#[utoipa::path(
    get,
    path = "/v1/games/{game}",
    tag = "Games",
    params(
        ("game" = String, Path, description = "The key of the game.", example = "qwinto"),
        ("Accept-Language" = Option<String>, Header, description = "`en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "The game.", body = GameDetails,
         headers(("ETag" = String, description = "Made of the content."))),
        (status = 304, description = "You have it already."),
        NotFound,
    ),
)]
pub async fn get_game(
    key: Path<String>,
    language: Language,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let game = games::find(&key).ok_or_else(ApiError::not_found)?;
    let details = Tagged::of(&details(game, language.0))?;
    Ok(details.respond(&known, "public, max-age=300", Some("Accept-Language")))
}

fn details(game: &dyn AnyGame, lang: Lang) -> GameDetails {
    let info = game.info();
    let schemas = game.schemas();
    GameDetails {
        summary: summary(game, lang),
        rules: info.rules.into(),
        options_schema: schemas.options.standalone(),
        move_schema: schemas.mv.standalone(),
        view_schema: schemas.view.standalone(),
        event_schema: schemas.event.standalone(),
        score_lines: info
            .score_lines
            .iter()
            .map(|line| Named { id: line.id, label: line.label.get(lang) })
            .collect(),
        measures: info.measures.iter().map(|info| measure(info, lang)).collect(),
        luck: info.luck.iter().map(|info| luck_figure(info, lang)).collect(),
        refusals: game
            .refusals()
            .into_iter()
            .map(|refusal| RefusalReason {
                code: format!("{}.{}", info.key, refusal.code),
                rule: refusal.rule,
                detail: refusal.text.get(lang),
            })
            .collect(),
    }
}
