//! `GET /v1/games/{game}/charts/{chart}.svg`

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::text::Text;
use pictures::{Style, Theme};
use serde::Deserialize;
use service::statistics::{Bucket, Statistics};
use time::Date;
use utoipa::IntoParams;

use crate::{
    app::App,
    documents::{ChartKind, GameChart},
    error::{ApiError, ApiResult, NotFound},
    http::{Address, IfNoneMatch, Language, Params2, StatisticsQuery, game_in_path},
    middleware::Endpoint,
    rendered::StatsTag,
    routes::statistics::count,
};

/// How to draw the chart.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GameChartQuery {
    /// The length of the periods of a series, which has at most 400 points. The default is days for up to 92 days, weeks for up to two
    /// years, and otherwise months. Only for series.
    #[param(inline)]
    bucket: Option<Bucket>,
    /// The background: `light`, `dark`, or `auto` (the default), which follows the settings of the reader's device.
    #[serde(default)]
    #[param(inline, example = "auto")]
    theme: Theme,
}

impl GameChartQuery {
    /// The bucket for a kind of chart; `None` for charts that are not series.
    fn bucket(
        &self,
        kind: ChartKind,
        filter: StatisticsQuery,
        today: Date,
    ) -> ApiResult<Option<Bucket>> {
        match (kind, self.bucket) {
            (ChartKind::Series, Some(bucket)) => Ok(Some(bucket)),
            (ChartKind::Series, None) => Ok(Some(default_bucket(filter, today))),
            (ChartKind::Distribution, None) => Ok(None),
            (ChartKind::Distribution, Some(_)) => Err(ApiError::bad_field(
                "bucket",
                Text::new(
                    "Only charts of kind `series` have periods; omit `bucket`.",
                    "Solo los gráficos de tipo `series` tienen periodos; omite `bucket`.",
                ),
            )),
        }
    }
}

/// As fine as the chart can show.
fn default_bucket(filter: StatisticsQuery, today: Date) -> Bucket {
    let Some(since) = filter.since else { return Bucket::Month };
    let until = filter.until.unwrap_or(today);
    match (until - since).whole_days() {
        ..=92 => Bucket::Day,
        93..=731 => Bucket::Week,
        _ => Bucket::Month,
    }
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_draw_game_chart, draw_game_chart)
}

/// Draw a chart of a game
///
/// A distribution or a series of the statistics of a game, as an SVG with a width of 400 units that can be scaled to any size. Titles
/// and labels are in the language of the request. `GET /v1/games/{game}/charts` lists the charts.
#[utoipa::path(
    get,
    path = "/v1/games/{game}/charts/{chart}.svg",
    tag = "Statistics",
    params(
        ("game" = String, Path, description = "The key of the game.", example = "qwinto"),
        ("chart" = String, Path, description = "The id of the chart.", example = "measure.score"),
        StatisticsQuery,
        GameChartQuery,
        ("Accept-Language" = Option<String>, Header, description = "The language of the texts: `en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/svg+xml",
         headers(("ETag" = String, description = "Changes when further matches are counted."))),
        (status = 304, description = "The response has not changed."),
        NotFound,
    ),
)]
pub async fn draw_game_chart(
    app: Data<App>,
    path: Path<(String, String)>,
    query: Params2<StatisticsQuery, GameChartQuery>,
    language: Language,
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let Params2(filter, query) = query;
    let game = game_in_path(&path.0)?;
    let chart = GameChart::find(game, &path.1).ok_or_else(|| {
        ApiError::bad_field(
            "chart",
            Text::new(
                "This game has no such chart; `GET /v1/games/{game}/charts` lists them.",
                "Este juego no tiene ese gráfico; `GET /v1/games/{game}/charts` los muestra.",
            ),
        )
    })?;
    let bucket = query.bucket(chart.kind(), filter, app.clock.datetime().date())?;
    let selection = filter.selection(game, bucket)?;
    let style = Style { theme: query.theme, lang: language.0, seat: None };
    let statistics = Statistics::now(&app.db).await?;
    let tag = StatsTag::picture(&statistics, style, &format!("-{}", bucket.map_or("", Bucket::id)));
    let entry = tag.entry(&app.stats, &request, app.clock.now());
    if let Some(response) = tag.not_modified(&known).or_else(|| entry.cached(&known)) {
        return Ok(response);
    }
    let turn = app.bulkheads.statistics.enter(Address::of(&request).0).await?;
    let counts = count(&statistics, game, &selection, &turn).await?;
    Ok(entry.svg(tag, chart.draw(game, &selection, &counts, style), style.lang))
}
