//! `GET /v1/games/{game}/stats`

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use serde::Deserialize;
use service::statistics::{Bucket, Statistics};
use utoipa::IntoParams;

use crate::{
    app::App,
    documents::{GameStats, series_measures},
    error::{ApiResult, NotFound},
    http::{
        Address, Format, IfNoneMatch, Language, Params2, StatisticsQuery, game_in_path,
        selected_measures,
    },
    middleware::Endpoint,
    rendered::StatsTag,
    routes::statistics::{count, csv},
};

/// What to include in the statistics.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GameStatsQuery {
    /// Adds a series with a point for each day, week or month in which a match ended; at most 400. Weeks begin on Monday. The first
    /// and the last point are cut by `since` and `until`.
    #[param(inline)]
    bucket: Option<Bucket>,
    /// Only this measure: a declared one, `score` or `duration_ms`.
    #[param(example = "score")]
    measure: Option<String>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_game_stats, get_game_stats)
}

/// Get the statistics of a game
///
/// Matches, players, durations, scores, wins by seat, and the distribution of every declared measure. As CSV
/// (`Accept: text/csv`), the response contains the histograms, one row per bar, or with `bucket` the series, one row per point and
/// measure.
#[utoipa::path(
    get,
    path = "/v1/games/{game}/stats",
    tag = "Statistics",
    params(
        ("game" = String, Path, description = "The key of the game.", example = "qwinto"),
        StatisticsQuery,
        GameStatsQuery,
        ("Accept" = Option<String>, Header, description = "`application/json` or `text/csv`."),
        ("Accept-Language" = Option<String>, Header, description = "The language of the texts: `en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The statistics.", headers(("ETag" = String, description = "Changes when further matches are counted.")),
         content((GameStats = "application/json"), (String = "text/csv"))),
        (status = 304, description = "The response has not changed."),
        NotFound,
    ),
)]
pub async fn get_game_stats(
    app: Data<App>,
    game: Path<String>,
    query: Params2<StatisticsQuery, GameStatsQuery>,
    format: Format,
    language: Language,
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let Params2(filter, GameStatsQuery { bucket, measure }) = query;
    let (measure, lang) = (measure.as_deref(), language.0);
    let game = game_in_path(&game)?;
    let selection = filter.selection(game, bucket)?;
    let measures = selected_measures(game, measure)?;
    let statistics = Statistics::now(&app.db).await?;
    let tag = StatsTag::new(&statistics, format, lang, "");
    let entry = tag.entry(&app.stats, &request, app.clock.now());
    if let Some(response) = tag.not_modified(&known).or_else(|| entry.cached(&known)) {
        return Ok(response);
    }
    let turn = app.bulkheads.statistics.enter(Address::of(&request).0).await?;
    let counts = count(&statistics, game, &selection, &turn).await?;
    if let (Format::Csv, Some(points)) = (format, &counts.points) {
        return Ok(entry.csv(tag, csv::series(points, &series_measures(&measures, measure))));
    }
    let document =
        GameStats::new(game, &measures, measure, &counts.total, counts.points.as_ref(), lang);
    Ok(match format {
        Format::Json => entry.json(tag, &document),
        Format::Csv => {
            entry.csv(tag, csv::distributions(&document.measures, &document.score_lines))
        }
    })
}
