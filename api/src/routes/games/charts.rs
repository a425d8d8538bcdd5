//! `GET /v1/games/{game}/charts`

use actix_web::{HttpResponse, web::Path};

use crate::{
    documents::{ChartLink, ChartList, GameChart},
    error::{ApiResult, NotFound},
    http::{IfNoneMatch, Language, Tagged, game_in_path},
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_game_charts, list_game_charts)
}

/// List the charts of a game
///
/// Every distribution and every series of the statistics of a game is available as a picture.
#[utoipa::path(
    get,
    path = "/v1/games/{game}/charts",
    tag = "Statistics",
    params(
        ("game" = String, Path, description = "The key of the game.", example = "qwinto"),
        ("Accept-Language" = Option<String>, Header, description = "The language of the texts: `en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The charts.", body = ChartList,
         headers(("ETag" = String, description = "A digest of the content."))),
        (status = 304, description = "The response has not changed."),
        NotFound,
    ),
)]
pub async fn list_game_charts(
    game: Path<String>,
    language: Language,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let game = game_in_path(&game)?;
    let key = game.info().key;
    let link = |chart: GameChart| {
        let id = chart.id();
        ChartLink {
            kind: chart.kind(),
            game: Some(key),
            title: chart.title(language.0),
            href: format!("/v1/games/{key}/charts/{id}.svg"),
            id,
        }
    };
    let charts = GameChart::all(game).into_iter().map(link).collect();
    let list = Tagged::of(&ChartList { charts });
    Ok(list.respond(&known, "public, max-age=300", Some("Accept-Language")))
}
