//! `GET /v1/players/{id}/charts/{chart}.svg`

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::{erased::AnyGame, text::Text};
use pictures::{Style, Theme};
use serde::Deserialize;
use time::Date;
use utoipa::IntoParams;
use uuid::Uuid;

use super::{
    named,
    stats::{Day, activity, activity_period},
};
use service::{
    secret,
    statistics::{ALL, Cell, Slice, Statistics, Tally, date_of, day_of},
};
use store::entities::rated_match;

use crate::{
    app::App,
    error::{ApiError, ApiResult, NotFound},
    http::{IfNoneMatch, Language, Params},
    middleware::Endpoint,
    rendered::StatsTag,
    routes::statistics::{
        charts::player::{PlayerChart, Subject},
        check_period, iso_date, known_game,
    },
};

/// So many rated matches are drawn at the most.
const RATED: u64 = 1_000;

/// What is wanted, and how it is drawn.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// Only of this game. Charts of measures need it.
    #[param(example = "qwinto")]
    game: Option<String>,
    /// Only matches that ended on this day (UTC) or later. Only for series.
    #[serde(default, with = "iso_date::option")]
    #[param(value_type = Option<String>, format = Date, example = "2026-01-01")]
    since: Option<Date>,
    /// Only matches that ended before this day (UTC). Only for series.
    #[serde(default, with = "iso_date::option")]
    #[param(value_type = Option<String>, format = Date, example = "2027-01-01")]
    until: Option<Date>,
    /// The ground on which the picture is looked at: `light`, `dark`, or `auto`, which follows the reader's device and is the
    /// default.
    #[serde(default)]
    #[param(inline, example = "auto")]
    theme: Theme,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_draw_player_chart, draw_player_chart)
}

/// A chart of a player
///
/// A distribution or a series of the statistics of a player as an SVG of 400 units in width that can be scaled to any size, titled and
/// labelled in the language of the request. `GET /v1/players/{id}/charts` lists them. Activity is drawn for at most 366 days; ratings
/// for the last 1,000 rated matches.
#[utoipa::path(
    get,
    path = "/v1/players/{id}/charts/{chart}.svg",
    tag = "Statistics",
    params(
        ("id" = Uuid, Path, description = "The id of the player."),
        ("chart" = String, Path, description = "The id of the chart.", example = "rating"),
        Wanted,
        ("Accept-Language" = Option<String>, Header, description = "`en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/svg+xml",
         headers(("ETag" = String, description = "Changes when more matches are counted."))),
        (status = 304, description = "You have it already."),
        NotFound,
    ),
)]
pub async fn draw_player_chart(
    app: Data<App>,
    path: Path<(Uuid, String)>,
    wanted: Params<Wanted>,
    language: Language,
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let (id, wanted) = (path.0, wanted.0);
    let game = wanted.game.as_deref().map(known_game).transpose()?;
    let chart = find(game, &path.1)?;
    let period = wanted.period(chart, app.clock.datetime().date())?;
    let player = named(&app, id).await?;
    let name = player.name.unwrap_or_default();
    let statistics = Statistics::now(&app.db).await?;
    let style = Style { theme: wanted.theme, lang: language.0, seat: None };
    let digest = hex::encode(&secret::hash(name.as_bytes())[..4]);
    let until = period.1.map(|until| format!("-{until}")).unwrap_or_default();
    let tag = StatsTag::picture(&statistics, style, &format!("-{digest}{until}"));
    let entry = tag.entry(&app.stats, &request, app.clock.now());
    if let Some(response) = tag.not_modified(&known).or_else(|| entry.cached(&known)) {
        return Ok(response);
    }
    let subject = Subject { player: &name, game, period, style };
    let picture = match chart {
        PlayerChart::Results => subject.results(&tally(&statistics, id, game).await?),
        PlayerChart::Activity => {
            let (since, until) =
                activity_period(wanted.since, wanted.until, app.clock.datetime().date())?;
            let days = activity(&statistics, id, game, since, until).await?;
            subject.activity(&days.iter().map(Day::counts).collect::<Vec<_>>())
        }
        PlayerChart::Rating => subject.rating(&rated(&statistics, id, game, period).await?),
        PlayerChart::Score(info) => {
            let mine = tally(&statistics, id, game).await?;
            subject.scores(info, &mine, &everybody(&statistics, game).await?)
        }
        PlayerChart::Category(info, all) => {
            let mine = tally(&statistics, id, game).await?;
            subject.categories(info, all, &mine, &everybody(&statistics, game).await?)
        }
    };
    Ok(entry.svg(tag, picture, style.lang))
}

fn find(game: Option<&'static dyn AnyGame>, id: &str) -> ApiResult<PlayerChart> {
    PlayerChart::find(game, id).ok_or_else(|| {
        if game.is_none() && PlayerChart::needs_game(id) {
            return ApiError::bad_field(
                "game",
                Text::new(
                    "Measures belong to games: say which `game`.",
                    "Las medidas son de cada juego: di qué `game`.",
                ),
            );
        }
        ApiError::bad_field(
            "chart",
            Text::new(
                "There is no such chart; `GET /v1/players/{id}/charts` lists them.",
                "No existe ese gráfico; `GET /v1/players/{id}/charts` los enumera.",
            ),
        )
    })
}

impl Wanted {
    /// From which day on and before which day; nothing for charts of all time.
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
                            "This chart is about all matches; only those whose kind is `series` have a period.",
                            "Este gráfico trata de todas las partidas; solo los de tipo `series` tienen periodo.",
                        ),
                    )),
                }
            }
        }
    }
}

/// What the player has done: in a game, or in all.
async fn tally(
    statistics: &Statistics<'_>,
    player: Uuid,
    game: Option<&'static dyn AnyGame>,
) -> ApiResult<Tally> {
    let (overall, games) = statistics.player(player).await?;
    let Some(game) = game else { return Ok(overall) };
    let found = games.into_iter().find(|(key, _, _)| key == game.info().key);
    Ok(found.map(|(_, tally, _)| tally).unwrap_or_default())
}

/// What everybody has done in a game.
async fn everybody(
    statistics: &Statistics<'_>,
    game: Option<&'static dyn AnyGame>,
) -> ApiResult<Cell> {
    let Some(game) = game else { return Ok(Cell::default()) };
    let ever = [(ALL.to_owned(), "b".to_owned())];
    let mut cells = statistics.cells(game.info().key, &ever, Slice::default(), 1).await?;
    Ok(cells.pop().map(|(_, cell)| cell).unwrap_or_default())
}

/// The last rated matches, newest first.
async fn rated(
    statistics: &Statistics<'_>,
    player: Uuid,
    game: Option<&'static dyn AnyGame>,
    (since, until): (Option<Date>, Option<Date>),
) -> ApiResult<Vec<rated_match::Model>> {
    let key = game.map(|game| game.info().key);
    let mut rows = statistics.rated(player, key, None, RATED).await?;
    rows.retain(|row| {
        let day = date_of(day_of(domain::time::Timestamp::from_micros(row.at)));
        since.is_none_or(|since| day >= since) && until.is_none_or(|until| day < until)
    });
    Ok(rows)
}
