//! `GET /v1/players/{id}/stats`

use std::collections::BTreeMap;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::{
    erased::AnyGame,
    games,
    outcome::{MeasureInfo, Scope, Unit},
    text::{Lang, Text},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};
use time::{Date, Duration, OffsetDateTime};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::named;
use service::{
    clock, secret,
    statistics::{
        ALL, Cell, DURATION, Distribution, Grain, Numbers, Rating, SCORE, Slice, Statistics, Tally,
        date_of, number_of,
    },
};

use crate::{
    app::App,
    error::{ApiError, ApiResult, NotFound},
    http::{Csv, Format, IfNoneMatch, Language, Params},
    middleware::Endpoint,
    rendered::StatsTag,
    routes::{
        games::{UnitName, unit_name},
        matches::SeatedPlayer,
        statistics::{
            CategoryCount, DistributionDocument, category_counts, check_period, distribution,
            iso_date, known_game, wanted_measures,
        },
    },
};

/// How many days of activity are shown at the most, and if nothing is said.
const DAYS: i64 = 366;

/// What is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// Only of this game.
    #[param(example = "qwinto")]
    game: Option<String>,
    /// Only this declared measure; needs `game`.
    #[param(example = "numbers_written")]
    measure: Option<String>,
    /// Activity from this day (UTC) on; 366 days before `until` if left out.
    #[serde(default, with = "iso_date::option")]
    #[param(value_type = Option<String>, format = Date, example = "2026-01-01")]
    since: Option<Date>,
    /// Activity before this day (UTC); up to today if left out.
    #[serde(default, with = "iso_date::option")]
    #[param(value_type = Option<String>, format = Date, example = "2027-01-01")]
    until: Option<Date>,
}

/// How matches went.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PlayerResults)]
pub struct Results {
    /// Matches that were played: won, shared and lost ones.
    played: u64,
    /// Won alone.
    won: u64,
    /// Won together with others.
    shared: u64,
    /// Not won.
    lost: u64,
    /// Lost ones that the player gave up by resigning.
    abandoned: u64,
    /// Wins in a row.
    streak: Streak,
    /// When the first match ended.
    #[serde(with = "time::serde::rfc3339::option")]
    first_at: Option<OffsetDateTime>,
    /// When the last match ended.
    #[serde(with = "time::serde::rfc3339::option")]
    last_at: Option<OffsetDateTime>,
}

/// Wins in a row, shared ones too, in the order in which matches ended.
#[derive(Debug, Serialize, ToSchema)]
pub struct Streak {
    /// Until now.
    current: u64,
    /// The most ever.
    longest: u64,
}

/// What is believed of a player's strength.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingDocument {
    /// The mean; 25 at the beginning.
    #[schema(example = 27.6)]
    rating: f64,
    /// The standard deviation; 8.33 at the beginning.
    #[schema(example = 5.1)]
    uncertainty: f64,
    /// What leaderboards go by, a strength that the player very probably has: `rating - 3 * uncertainty`.
    #[schema(example = 12.3)]
    rank_score: f64,
    /// After how many rated matches.
    matches: u64,
}

/// A measure of a player, next to that of all players.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerMeasure {
    /// Stable.
    #[schema(example = "numbers_written")]
    id: &'static str,
    /// Its name.
    #[schema(example = "Numbers written")]
    label: &'static str,
    /// What its value means.
    unit: UnitName,
    /// How many values there are.
    count: u64,
    /// The mean of the player's.
    mean: Option<f64>,
    /// The mean of everybody's.
    mean_of_all: Option<f64>,
    /// The player's smallest.
    min: Option<i64>,
    /// The player's largest.
    max: Option<i64>,
    /// The player's, where they are categories.
    #[serde(skip_serializing_if = "Option::is_none")]
    categories: Option<Vec<CategoryCount>>,
    /// Everybody's, where they are categories.
    #[serde(skip_serializing_if = "Option::is_none")]
    categories_of_all: Option<Vec<CategoryCount>>,
}

/// A player in one game.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameResults {
    /// The key of the game.
    #[schema(example = "qwinto")]
    game: &'static str,
    /// How matches went.
    #[serde(flatten)]
    results: Results,
    /// The rating, once a match was rated.
    rating: Option<RatingDocument>,
    /// The scores.
    scores: DistributionDocument,
    /// The mean of everybody's scores.
    mean_score_of_all: Option<f64>,
    /// The declared measures of seats.
    measures: Vec<PlayerMeasure>,
}

/// What a player did on a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ActivityDay)]
pub struct Day {
    /// The day, UTC.
    #[serde(with = "iso_date")]
    #[schema(value_type = String, format = Date)]
    date: Date,
    /// Matches that ended.
    played: i64,
    /// Matches of these that were won or shared.
    won: i64,
}

impl Day {
    /// The day, matches that ended, and those of them that were won or shared.
    pub(super) fn counts(&self) -> (Date, u64, u64) {
        let count = |count: i64| u64::try_from(count).unwrap_or_default();
        (self.date, count(self.played), count(self.won))
    }
}

/// The statistics of a player.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerStats {
    /// The player.
    player: SeatedPlayer,
    /// In all games.
    overall: Results,
    /// In each game that was played.
    games: Vec<GameResults>,
    /// Day by day, without days on which no match ended.
    activity: Vec<Day>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_player_stats, get_player_stats)
}

/// The statistics of a player
///
/// Overall and per game: results, rating, scores, streaks, measures next to the average of all; and activity by day. In CSV
/// (`Accept: text/csv`): the activity.
#[utoipa::path(
    get,
    path = "/v1/players/{id}/stats",
    tag = "Statistics",
    params(
        ("id" = Uuid, Path, description = "The id of the player."),
        Wanted,
        ("Accept" = Option<String>, Header, description = "`application/json` or `text/csv`."),
        ("Accept-Language" = Option<String>, Header, description = "`en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "The statistics.", headers(("ETag" = String, description = "Changes when more matches are counted.")),
         content((PlayerStats = "application/json"), (String = "text/csv"))),
        (status = 304, description = "You have them already."),
        NotFound,
    ),
)]
pub async fn get_player_stats(
    app: Data<App>,
    id: Path<Uuid>,
    wanted: Params<Wanted>,
    format: Format,
    language: Language,
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let (wanted, lang) = (wanted.0, language.0);
    let game = wanted.game.as_deref().map(known_game).transpose()?;
    check_measure(game, wanted.measure.as_deref())?;
    let (since, until) = activity_period(wanted.since, wanted.until, app.clock.datetime().date())?;
    let player = named(&app, *id).await?;
    let statistics = Statistics::now(&app.db).await?;
    let digest = hex::encode(&secret::hash(player.name.as_deref().unwrap_or("").as_bytes())[..4]);
    let tag = StatsTag::new(&statistics, format, lang, &format!("-{until}-{digest}"));
    let entry = tag.entry(&app.stats, &request, app.clock.now());
    if let Some(response) = tag.not_modified(&known).or_else(|| entry.cached(&known)) {
        return Ok(response);
    }
    let activity = activity(&statistics, *id, game, since, until).await?;
    if format == Format::Csv {
        return Ok(entry.csv(tag, csv(&activity)));
    }
    let (overall, tallies) = statistics.player(*id).await?;
    let mut in_games = Vec::new();
    for (key, tally, rating) in tallies {
        let Some(it) = games::find(&key).filter(|it| is_wanted(game, it.info().key)) else {
            continue;
        };
        let everybody = [(ALL.to_owned(), "b".to_owned())];
        let mut of_all = statistics.cells(&key, &everybody, Slice::default(), 1).await?;
        let of_all = of_all.pop().map(|(_, cell)| cell).unwrap_or_default();
        let measures = wanted_measures(it, wanted.measure.as_deref())?;
        in_games.push(in_game(it, &tally, rating, &of_all, &measures, lang));
    }
    let overall = results(&overall);
    Ok(entry.json(tag, &PlayerStats { player, overall, games: in_games, activity }))
}

fn is_wanted(game: Option<&'static dyn AnyGame>, key: &str) -> bool {
    game.is_none_or(|game| game.info().key == key)
}

/// Measures belong to games.
fn check_measure(game: Option<&'static dyn AnyGame>, measure: Option<&str>) -> ApiResult<()> {
    match (game, measure) {
        (Some(game), Some(_)) => wanted_measures(game, measure).map(drop),
        (None, Some(_)) => Err(ApiError::bad_field(
            "measure",
            Text::new(
                "Measures belong to games: say which `game`.",
                "Las medidas son de cada juego: di qué `game`.",
            ),
        )),
        (_, None) => Ok(()),
    }
}

/// The days whose activity is wanted.
pub(super) fn activity_period(
    since: Option<Date>,
    until: Option<Date>,
    today: Date,
) -> ApiResult<(Date, Date)> {
    check_period(since, until)?;
    let days = |date: Date, days: i64| date.saturating_add(Duration::days(days));
    let until = match (since, until) {
        (_, Some(until)) => until,
        (Some(since), None) => days(since, DAYS),
        (None, None) => days(today, 1),
    };
    let since = since.unwrap_or_else(|| days(until, -DAYS));
    if (until - since).whole_days() > DAYS {
        return Err(ApiError::bad_field(
            "since",
            Text::new(
                "Activity is shown for at most 366 days; ask for a shorter period.",
                "La actividad se muestra para 366 días como máximo; pide un periodo más corto.",
            ),
        ));
    }
    Ok((since, until))
}

/// What a player did day by day.
pub(super) async fn activity(
    statistics: &Statistics<'_>,
    player: Uuid,
    game: Option<&'static dyn AnyGame>,
    since: Date,
    until: Date,
) -> ApiResult<Vec<Day>> {
    let mut days: BTreeMap<i32, (i64, i64)> = BTreeMap::new();
    for row in statistics.days(player, number_of(since), number_of(until)).await? {
        if is_wanted(game, &row.game) {
            let day = days.entry(row.day).or_default();
            day.0 += row.played;
            day.1 += row.won;
        }
    }
    let day = |(day, (played, won))| Day { date: date_of(day), played, won };
    Ok(days.into_iter().map(day).collect())
}

fn results(tally: &Tally) -> Results {
    let when = |micros: i64| {
        (tally.played > 0).then(|| clock::to_datetime(Timestamp::from_micros(micros)))
    };
    Results {
        played: tally.played,
        won: tally.won,
        shared: tally.shared,
        lost: tally.lost,
        abandoned: tally.abandoned,
        streak: Streak { current: tally.streak, longest: tally.longest_streak },
        first_at: when(tally.first_at),
        last_at: when(tally.last_at),
    }
}

fn in_game(
    game: &'static dyn AnyGame,
    tally: &Tally,
    rating: Option<(Rating, u64)>,
    of_all: &Cell,
    measures: &[&'static MeasureInfo],
    lang: Lang,
) -> GameResults {
    GameResults {
        game: game.info().key,
        results: results(tally),
        rating: rating.map(|(rating, matches)| RatingDocument {
            rating: rating.rating,
            uncertainty: rating.uncertainty,
            rank_score: rating.rank_score(),
            matches,
        }),
        scores: distribution(&tally.score, Grain::FINE),
        mean_score_of_all: of_all.numbers.get(SCORE).and_then(Distribution::mean),
        measures: measures
            .iter()
            .filter(|info| info.scope == Scope::Seat && info.id != SCORE && info.id != DURATION)
            .map(|info| measure(info, tally, of_all, lang))
            .collect(),
    }
}

fn measure(info: &'static MeasureInfo, tally: &Tally, of_all: &Cell, lang: Lang) -> PlayerMeasure {
    let numbers = tally.numbers.get(info.id).filter(|numbers| numbers.count > 0);
    let counts = |counts: &BTreeMap<String, BTreeMap<String, u64>>| match info.unit {
        Unit::Category(all) => Some(category_counts(all, counts.get(info.id), lang)),
        Unit::Count | Unit::Points | Unit::Milliseconds => None,
    };
    let categories = counts(&tally.categories);
    let categorised = categories.iter().flatten().map(|category| category.count).sum();
    PlayerMeasure {
        id: info.id,
        label: info.label.get(lang),
        unit: unit_name(info.unit),
        count: numbers.map_or(categorised, |numbers| numbers.count),
        mean: numbers.and_then(Numbers::mean),
        mean_of_all: of_all.numbers.get(info.id).and_then(Distribution::mean),
        min: numbers.map(|numbers| numbers.min),
        max: numbers.map(|numbers| numbers.max),
        categories,
        categories_of_all: counts(&of_all.categories),
    }
}

fn csv(activity: &[Day]) -> String {
    let mut table = Csv::new(["date", "played", "won"]);
    for day in activity {
        table.row(&[&day.date, &day.played, &day.won]);
    }
    table.finish()
}
