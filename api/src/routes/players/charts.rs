//! `GET /v1/players/{id}/charts`

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::{erased::AnyGame, games};
use service::statistics::Statistics;
use uuid::Uuid;

use crate::{
    app::App,
    documents::{ChartLink, ChartList, PlayerChart},
    error::{ApiResult, NotFound},
    http::{Format, IfNoneMatch, Language},
    middleware::Endpoint,
    rendered::StatsTag,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_player_charts, list_player_charts)
}

/// List the charts of a player
///
/// The charts of all games together, and of each game that the player has played.
#[utoipa::path(
    get,
    path = "/v1/players/{id}/charts",
    tag = "Statistics",
    params(
        ("id" = Uuid, Path, description = "The id of the player."),
        ("Accept-Language" = Option<String>, Header, description = "The language of the texts: `en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The charts.", body = ChartList,
         headers(("ETag" = String, description = "Changes when further matches are counted."))),
        (status = 304, description = "The response has not changed."),
        NotFound,
    ),
)]
pub async fn list_player_charts(
    app: Data<App>,
    id: Path<Uuid>,
    language: Language,
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    app.named_player(*id).await?;
    let statistics = Statistics::now(&app.db).await?;
    let tag = StatsTag::new(&statistics, Format::Json, language.0, "");
    let entry = tag.entry(&app.stats, &request, app.clock.now());
    if let Some(response) = tag.not_modified(&known).or_else(|| entry.cached(&known)) {
        return Ok(response);
    }
    let link = |game: Option<&'static dyn AnyGame>, chart: PlayerChart| {
        let game = game.map(|game| game.info().key);
        let query = game.map_or_else(String::new, |key| format!("?game={key}"));
        let chart_id = chart.id();
        ChartLink {
            kind: chart.kind(),
            game,
            title: chart.title(language.0).to_owned(),
            href: format!("/v1/players/{}/charts/{chart_id}.svg{query}", *id),
            id: chart_id,
        }
    };
    let (_, played) = statistics.player(*id).await?;
    let games = played.iter().filter_map(|(key, _, _)| games::find(key)).map(Some);
    let charts = std::iter::once(None)
        .chain(games)
        .flat_map(|game| {
            let charts = PlayerChart::all(game);
            charts.into_iter().map(move |chart| link(game, chart))
        })
        .collect();
    Ok(entry.json(tag, &ChartList { charts }))
}
