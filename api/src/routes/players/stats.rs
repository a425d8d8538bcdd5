//! `GET /v1/players/{id}/stats`

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::{erased::AnyGame, games, text::Text};
use serde::Deserialize;
use service::{
    secret,
    statistics::{Statistics, number_of},
};
use time::{Date, Duration};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    app::App,
    documents::{ActivityDay, GameResults, PlayerStats},
    error::{ApiError, ApiResult, NotFound},
    http::{
        Address, Csv, Format, IfNoneMatch, Language, Params, check_period, date, game_in_field,
        selected_measures,
    },
    middleware::Endpoint,
    rendered::StatsTag,
    routes::statistics::missing_game,
};

/// The most days of activity that are returned, and the default.
const DAYS: i64 = 366;

/// What to include in the statistics.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerStatsQuery {
    /// Only matches of this game.
    #[param(example = "qwinto")]
    game: Option<String>,
    /// Only this measure; requires `game`.
    #[param(example = "numbers_written")]
    measure: Option<String>,
    /// Only activity on this day (UTC) or later; by default 366 days before `until`.
    #[serde(default, deserialize_with = "date")]
    #[param(value_type = Option<String>, format = Date, example = "2026-01-01")]
    since: Option<Date>,
    /// Only activity before this day (UTC); by default up to today.
    #[serde(default, deserialize_with = "date")]
    #[param(value_type = Option<String>, format = Date, example = "2027-01-01")]
    until: Option<Date>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_player_stats, get_player_stats)
}

/// Get the statistics of a player
///
/// Overall and per game: results, rating, scores, streaks, and measures compared with the average of all players; and activity by day.
/// As CSV (`Accept: text/csv`), the response contains the activity.
#[utoipa::path(
    get,
    path = "/v1/players/{id}/stats",
    tag = "Statistics",
    params(
        ("id" = Uuid, Path, description = "The id of the player."),
        PlayerStatsQuery,
        ("Accept" = Option<String>, Header, description = "`application/json` or `text/csv`."),
        ("Accept-Language" = Option<String>, Header, description = "The language of the texts: `en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The statistics.", headers(("ETag" = String, description = "Changes when further matches are counted.")),
         content((PlayerStats = "application/json"), (String = "text/csv"))),
        (status = 304, description = "The response has not changed."),
        NotFound,
    ),
)]
pub async fn get_player_stats(
    app: Data<App>,
    id: Path<Uuid>,
    query: Params<PlayerStatsQuery>,
    format: Format,
    language: Language,
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let (query, lang) = (query.0, language.0);
    let game = query.game.as_deref().map(game_in_field).transpose()?;
    let measure = query.measure.as_deref();
    check_measure(game, measure)?;
    let (since, until) = activity_period(query.since, query.until, app.clock.datetime().date())?;
    let player = app.named_player(*id).await?;
    let statistics = Statistics::now(&app.db).await?;
    let digest = hex::encode(&secret::hash(format!("{player:?}").as_bytes())[..4]);
    let tag = StatsTag::new(&statistics, format, lang, &format!("-{until}-{digest}"));
    let entry = tag.entry(&app.stats, &request, app.clock.now());
    if let Some(response) = tag.not_modified(&known).or_else(|| entry.cached(&known)) {
        return Ok(response);
    }
    let _turn = app.bulkheads.statistics.enter(Address::of(&request).0).await?;
    let activity = activity(&statistics, *id, game, since, until).await?;
    if format == Format::Csv {
        return Ok(entry.csv(tag, csv(&activity)));
    }
    let (overall, tallies) = statistics.player(*id).await?;
    let is_selected =
        |other: &&'static dyn AnyGame| game.is_none_or(|game| game.info().key == other.info().key);
    let mut games = Vec::new();
    for (key, tally, rating) in tallies {
        let Some(in_game) = games::find(&key).filter(is_selected) else { continue };
        let of_all = statistics.count_all(&key).await?;
        let measures = selected_measures(in_game, measure)?;
        games.push(GameResults::new(in_game, &tally, rating, &of_all, &measures, lang));
    }
    let overall = (&overall).into();
    Ok(entry.json(tag, &PlayerStats { player, overall, games, activity }))
}

fn check_measure(game: Option<&'static dyn AnyGame>, measure: Option<&str>) -> ApiResult<()> {
    match (game, measure) {
        (Some(game), Some(_)) => selected_measures(game, measure).map(drop),
        (None, Some(_)) => Err(missing_game("measure")),
        (_, None) => Ok(()),
    }
}

/// The first day of activity to return, and the day after the last.
pub(super) fn activity_period(
    since: Option<Date>,
    until: Option<Date>,
    today: Date,
) -> ApiResult<(Date, Date)> {
    check_period(since, until)?;
    let add_days = |date: Date, days: i64| date.saturating_add(Duration::days(days));
    let until = match (since, until) {
        (_, Some(until)) => until,
        (Some(since), None) => add_days(since, DAYS),
        (None, None) => add_days(today, 1),
    };
    let since = since.unwrap_or_else(|| add_days(until, -DAYS));
    if (until - since).whole_days() > DAYS {
        return Err(ApiError::bad_field(
            "since",
            Text::new(
                "Activity is available for at most 366 days; choose a shorter period.",
                "La actividad está disponible para 366 días como máximo; elige un periodo más corto.",
            ),
        ));
    }
    Ok((since, until))
}

/// The activity of a player by day.
pub(super) async fn activity(
    statistics: &Statistics,
    player: Uuid,
    game: Option<&'static dyn AnyGame>,
    since: Date,
    until: Date,
) -> ApiResult<Vec<ActivityDay>> {
    let days = statistics.days(player, number_of(since), number_of(until)).await?;
    Ok(ActivityDay::all(days, game.map(|game| game.info().key)))
}

fn csv(activity: &[ActivityDay]) -> String {
    let mut csv = Csv::new(["date", "played", "won"]);
    for day in activity {
        csv.row(&[&day.date, &day.played, &day.won]);
    }
    csv.finish()
}
