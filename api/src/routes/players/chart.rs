//! `GET /v1/players/{id}/charts/{chart}.svg`

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::{erased::AnyGame, text::Text};
use pictures::{Style, Theme};
use serde::Deserialize;
use service::{
    secret,
    statistics::{Cell, RatedMatch, Statistics, Tally, date_of, day_of},
};
use time::Date;
use utoipa::IntoParams;
use uuid::Uuid;

use super::stats::{activity, activity_period};
use crate::{
    app::App,
    documents::{PlayerChart, PlayerChartSubject},
    error::{ApiError, ApiResult, NotFound},
    http::{Address, IfNoneMatch, Language, Params, check_period, date, game_in_field},
    middleware::Endpoint,
    rendered::StatsTag,
    routes::statistics::missing_game,
};

/// The most rated matches that are drawn.
const RATED: u64 = 1_000;

/// What to draw, and how.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerChartQuery {
    /// Only matches of this game. Charts of measures require it.
    #[param(example = "qwinto")]
    game: Option<String>,
    /// Only matches that ended on this day (UTC) or later. Only for series.
    #[serde(default, deserialize_with = "date")]
    #[param(value_type = Option<String>, format = Date, example = "2026-01-01")]
    since: Option<Date>,
    /// Only matches that ended before this day (UTC). Only for series.
    #[serde(default, deserialize_with = "date")]
    #[param(value_type = Option<String>, format = Date, example = "2027-01-01")]
    until: Option<Date>,
    /// The background: `light`, `dark`, or `auto` (the default), which follows the settings of the reader's device.
    #[serde(default)]
    #[param(inline, example = "auto")]
    theme: Theme,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_draw_player_chart, draw_player_chart)
}

/// Draw a chart of a player
///
/// A distribution or a series of the statistics of a player, as an SVG with a width of 400 units that can be scaled to any size. Titles
/// and labels are in the language of the request. `GET /v1/players/{id}/charts` lists the charts. Activity is drawn for at most 366
/// days, and ratings for the last 1,000 rated matches.
#[utoipa::path(
    get,
    path = "/v1/players/{id}/charts/{chart}.svg",
    tag = "Statistics",
    params(
        ("id" = Uuid, Path, description = "The id of the player."),
        ("chart" = String, Path, description = "The id of the chart.", example = "rating"),
        PlayerChartQuery,
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
pub async fn draw_player_chart(
    app: Data<App>,
    path: Path<(Uuid, String)>,
    query: Params<PlayerChartQuery>,
    language: Language,
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let (id, query) = (path.0, query.0);
    let game = query.game.as_deref().map(game_in_field).transpose()?;
    let chart = find(game, &path.1)?;
    let period = query.period(chart, app.clock.datetime().date())?;
    let player = app.named_player(id).await?;
    let name = player.name.as_deref().unwrap_or("");
    let statistics = Statistics::now(&app.db).await?;
    let style = Style { theme: query.theme, lang: language.0, seat: None };
    let digest = hex::encode(&secret::hash(name.as_bytes())[..4]);
    let until = period.1.map_or_else(String::new, |until| format!("-{until}"));
    let tag = StatsTag::picture(&statistics, style, &format!("-{digest}{until}"));
    let entry = tag.entry(&app.stats, &request, app.clock.now());
    if let Some(response) = tag.not_modified(&known).or_else(|| entry.cached(&known)) {
        return Ok(response);
    }
    let _turn = app.bulkheads.statistics.enter(Address::of(&request).0).await?;
    let subject = PlayerChartSubject { player: name, game, period, style };
    let picture = match chart {
        PlayerChart::Results => subject.results(&tally(&statistics, id, game).await?),
        PlayerChart::Activity => {
            let (since, until) =
                activity_period(query.since, query.until, app.clock.datetime().date())?;
            subject.activity(&activity(&statistics, id, game, since, until).await?)
        }
        PlayerChart::Rating => subject.rating(&rated(&statistics, id, game, period).await?),
        PlayerChart::Score(info) => {
            let mine = tally(&statistics, id, game).await?;
            subject.scores(info, &mine, &all_players(&statistics, game).await?)
        }
        PlayerChart::Category(info, all) => {
            let mine = tally(&statistics, id, game).await?;
            subject.categories(info, all, &mine, &all_players(&statistics, game).await?)
        }
    };
    Ok(entry.svg(tag, picture, style.lang))
}

fn find(game: Option<&'static dyn AnyGame>, id: &str) -> ApiResult<PlayerChart> {
    PlayerChart::find(game, id).ok_or_else(|| {
        if game.is_none() && PlayerChart::needs_game(id) {
            return missing_game("game");
        }
        ApiError::bad_field(
            "chart",
            Text::new(
                "There is no such chart; `GET /v1/players/{id}/charts` lists them.",
                "No existe ese gráfico; `GET /v1/players/{id}/charts` los muestra.",
            ),
        )
    })
}

impl PlayerChartQuery {
    /// The first day, and the day after the last; nothing for charts of all time.
    fn period(&self, chart: PlayerChart, today: Date) -> ApiResult<(Option<Date>, Option<Date>)> {
        check_period(self.since, self.until)?;
        match chart {
            PlayerChart::Activity => {
                let (since, until) = activity_period(self.since, self.until, today)?;
                Ok((Some(since), Some(until)))
            }
            PlayerChart::Rating => Ok((self.since, self.until)),
            PlayerChart::Results | PlayerChart::Score(_) | PlayerChart::Category(..) => {
                let given = [("since", self.since), ("until", self.until)];
                match given.iter().find(|(_, date)| date.is_some()) {
                    None => Ok((None, None)),
                    Some((field, _)) => Err(ApiError::bad_field(
                        field,
                        Text::new(
                            "This chart covers all matches; only charts of kind `series` have a period.",
                            "Este gráfico abarca todas las partidas; solo los de tipo `series` tienen periodo.",
                        ),
                    )),
                }
            }
        }
    }
}

/// The counts of a player, in a game or in all.
async fn tally(
    statistics: &Statistics,
    player: Uuid,
    game: Option<&'static dyn AnyGame>,
) -> ApiResult<Tally> {
    let (overall, games) = statistics.player(player).await?;
    let Some(game) = game else { return Ok(overall) };
    let found = games.into_iter().find(|(key, _, _)| key == game.info().key);
    Ok(found.map_or_else(Tally::default, |(_, tally, _)| tally))
}

/// The counts of all players in a game.
async fn all_players(
    statistics: &Statistics,
    game: Option<&'static dyn AnyGame>,
) -> ApiResult<Cell> {
    match game {
        Some(game) => Ok(statistics.count_all(game.info().key).await?),
        None => Ok(Cell::default()),
    }
}

/// The last rated matches, newest first.
async fn rated(
    statistics: &Statistics,
    player: Uuid,
    game: Option<&'static dyn AnyGame>,
    (since, until): (Option<Date>, Option<Date>),
) -> ApiResult<Vec<RatedMatch>> {
    let key = game.map(|game| game.info().key);
    let mut rows = statistics.rated(player, key, None, RATED).await?;
    rows.retain(|row| {
        let day = date_of(day_of(row.ended_at));
        since.is_none_or(|since| day >= since) && until.is_none_or(|until| day < until)
    });
    Ok(rows)
}
