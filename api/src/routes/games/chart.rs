//! `GET /v1/games/{game}/charts/{chart}.svg`

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::text::Text;
use pictures::{Style, Theme};
use serde::Deserialize;
use time::Date;
use utoipa::IntoParams;

use service::statistics::{Bucket, Statistics};

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    http::{IfNoneMatch, Language, Params},
    middleware::Endpoint,
    rendered::StatsTag,
    routes::statistics::{
        Selection,
        charts::{
            ChartKind,
            game::{Counts, GameChart},
        },
        iso_date, known_game,
    },
};

/// Which matches are counted, and how it is drawn.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// Only matches that ended on this day (UTC) or later.
    #[serde(default, with = "iso_date::option")]
    #[param(value_type = Option<String>, format = Date, example = "2026-11-01")]
    since: Option<Date>,
    /// Only matches that ended before this day (UTC).
    #[serde(default, with = "iso_date::option")]
    #[param(value_type = Option<String>, format = Date, example = "2026-12-01")]
    until: Option<Date>,
    /// What a series is cut into, at most 400 of them. If left out: days for a period of up to 92, weeks for one of up to two years, else
    /// months. Only for series.
    #[param(inline)]
    bucket: Option<Bucket>,
    /// Only matches with so many seats.
    #[param(minimum = 1, maximum = 8)]
    seats: Option<u8>,
    /// Only matches under this version of the rules.
    rules_version: Option<u16>,
    /// The ground on which the picture is looked at: `light`, `dark`, or `auto`, which follows the reader's device and is the
    /// default.
    #[serde(default)]
    #[param(inline, example = "auto")]
    theme: Theme,
}

impl Wanted {
    fn selection(&self, kind: ChartKind, today: Date) -> ApiResult<Selection> {
        let Self { since, until, seats, rules_version, .. } = *self;
        let bucket = match (kind, self.bucket) {
            (ChartKind::Series, bucket) => Some(bucket.unwrap_or_else(|| self.usual_bucket(today))),
            (ChartKind::Distribution, None) => None,
            (ChartKind::Distribution, Some(_)) => {
                return Err(ApiError::bad_field(
                    "bucket",
                    Text::new(
                        "Only charts whose kind is `series` are cut into periods; leave `bucket` out.",
                        "Solo los gráficos de tipo `series` se dividen en tramos; omite `bucket`.",
                    ),
                ));
            }
        };
        Ok(Selection { since, until, bucket, seats, rules_version })
    }

    /// As fine as can be seen.
    fn usual_bucket(&self, today: Date) -> Bucket {
        let Some(since) = self.since else { return Bucket::Month };
        let until = self.until.unwrap_or(today);
        match (until - since).whole_days() {
            ..=92 => Bucket::Day,
            93..=731 => Bucket::Week,
            _ => Bucket::Month,
        }
    }
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_draw_game_chart, draw_game_chart)
}

/// A chart of a game
///
/// A distribution or a series of the statistics of a game as an SVG of 400 units in width that can be scaled to any size, titled and
/// labelled in the language of the request. `GET /v1/games/{game}/charts` lists them.
#[utoipa::path(
    get,
    path = "/v1/games/{game}/charts/{chart}.svg",
    tag = "Statistics",
    params(
        ("game" = String, Path, description = "The key of the game.", example = "qwinto"),
        ("chart" = String, Path, description = "The id of the chart.", example = "measure.score"),
        Wanted,
        ("Accept-Language" = Option<String>, Header, description = "`en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/svg+xml",
         headers(("ETag" = String, description = "Changes when more matches are counted."))),
        (status = 304, description = "You have it already."),
    ),
)]
pub async fn draw_game_chart(
    app: Data<App>,
    path: Path<(String, String)>,
    wanted: Params<Wanted>,
    language: Language,
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let wanted = wanted.0;
    let game = known_game(&path.0)?;
    let chart = GameChart::find(game, &path.1).ok_or_else(|| {
        ApiError::bad_field(
            "chart",
            Text::new(
                "This game has no such chart; `GET /v1/games/{game}/charts` lists them.",
                "Este juego no tiene ese gráfico; `GET /v1/games/{game}/charts` los enumera.",
            ),
        )
    })?;
    let selection = wanted.selection(chart.kind(), app.clock.datetime().date())?;
    selection.check(game)?;
    let style = Style { theme: wanted.theme, lang: language.0, seat: None };
    let statistics = Statistics::now(&app.db).await?;
    let bucket = selection.bucket.map_or("", Bucket::id);
    let tag = StatsTag::picture(&statistics, style, &format!("-{bucket}"));
    let entry = tag.entry(&app.stats, &request, app.clock.now());
    if let Some(response) = tag.not_modified(&known).or_else(|| entry.cached(&known)) {
        return Ok(response);
    }
    let (total, points) = selection.count(&statistics, game).await?;
    let counts = Counts { selection: &selection, total: &total, points: points.as_ref() };
    Ok(entry.svg(tag, chart.draw(game, &counts, style), style.lang))
}
