//! `GET /v1/games/{game}/stats`

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::{
    erased::AnyGame,
    outcome::{MeasureInfo, Unit},
    seat::Seat,
    text::Lang,
};
use serde::{Deserialize, Serialize};
use time::Date;
use utoipa::{IntoParams, ToSchema};

use service::statistics::{Bucket, Cell, DURATION, Distribution, Grain, SCORE, Statistics};

use crate::{
    app::App,
    error::ApiResult,
    http::{Csv, Format, IfNoneMatch, Language, Params},
    middleware::Endpoint,
    rendered::StatsTag,
    routes::statistics::{
        MeasureDocument, Points, Quantiles, ScoreLineDocument, Selection, distribution,
        distributions_csv, iso_date, known_game, measure_document, quantiles, summary_cells,
        wanted_measures,
    },
};

/// Which matches are counted.
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
    /// Adds a series with a point for each of these (at most 400) in which a match ended. Weeks begin on Monday; the first and the
    /// last point are cut by `since` and `until`.
    #[param(inline)]
    bucket: Option<Bucket>,
    /// Only matches with so many seats.
    #[param(minimum = 1, maximum = 8)]
    seats: Option<u8>,
    /// Only matches under this version of the rules.
    rules_version: Option<u16>,
    /// Only this measure: a declared one, `score` or `duration_ms`.
    #[param(example = "score")]
    measure: Option<String>,
}

impl Wanted {
    fn selection(&self) -> Selection {
        let Self { since, until, bucket, seats, rules_version, .. } = *self;
        Selection { since, until, bucket, seats, rules_version }
    }
}

/// How often each seat wins.
#[derive(Debug, Serialize, ToSchema)]
pub struct WinRates {
    /// At tables with so many seats.
    #[schema(minimum = 1, maximum = 8)]
    seats: u8,
    /// How many matches there were.
    matches: u64,
    /// One entry a seat.
    by_seat: Vec<SeatWins>,
}

/// How often a seat wins.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatWins {
    /// The seat.
    seat: Seat,
    /// How often it won alone.
    won: u64,
    /// How often it shared the win.
    shared: u64,
    /// The share of matches that it won or shared.
    #[schema(example = 0.5)]
    rate: f64,
}

/// How many matches there were under a version of the rules.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionCount {
    /// The version.
    rules_version: u16,
    /// How many matches there were.
    matches: u64,
}

/// A measure in one point of a series.
#[derive(Debug, Serialize, ToSchema)]
pub struct PointMeasure {
    /// Stable.
    #[schema(example = "score")]
    id: &'static str,
    /// How many values there are.
    count: u64,
    /// Their mean.
    mean: Option<f64>,
    /// The smallest.
    min: Option<i64>,
    /// The largest.
    max: Option<i64>,
    /// Values that so many do not exceed.
    quantiles: Option<Quantiles>,
}

/// A day, week or month.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeriesPoint)]
pub struct Point {
    /// Its first day.
    #[serde(with = "iso_date")]
    #[schema(value_type = String, format = Date)]
    since: Date,
    /// The day after its last.
    #[serde(with = "iso_date")]
    #[schema(value_type = String, format = Date)]
    until: Date,
    /// Matches that were played.
    matches: u64,
    /// Matches that everybody left before they started.
    abandoned: u64,
    /// How many different players there were.
    players: u64,
    /// `score` and `duration_ms`, or the measure that was asked for; categories are left out.
    measures: Vec<PointMeasure>,
}

/// The statistics of a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameStats {
    /// The key of the game.
    #[schema(example = "qwinto")]
    game: &'static str,
    /// Matches that were played, to the end or until all but one had resigned.
    matches: u64,
    /// Matches of these that ended by resignation.
    resigned: u64,
    /// Matches of these whose win was shared.
    shared: u64,
    /// Matches that everybody left before they started; they are in no other number.
    abandoned: u64,
    /// How many different players there were: exactly below 1,024, with a standard error of 3 % beyond.
    players: u64,
    /// Wins by number of seats and by seat.
    win_rates: Vec<WinRates>,
    /// Matches by version of the rules.
    rules_versions: Vec<VersionCount>,
    /// Score, duration and every declared measure.
    measures: Vec<MeasureDocument>,
    /// How scores break down; left out where another measure than `score` is asked for.
    score_lines: Vec<ScoreLineDocument>,
    /// By day, week or month, where `bucket` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<Vec<Point>>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_game_stats, get_game_stats)
}

/// The statistics of a game
///
/// Matches, players, durations, scores, wins by seat, and every declared measure with its distribution. In CSV
/// (`Accept: text/csv`): the histograms, one row a bar; or the series where there is one, one row a point and measure.
#[utoipa::path(
    get,
    path = "/v1/games/{game}/stats",
    tag = "Statistics",
    params(
        ("game" = String, Path, description = "The key of the game.", example = "qwinto"),
        Wanted,
        ("Accept" = Option<String>, Header, description = "`application/json` or `text/csv`."),
        ("Accept-Language" = Option<String>, Header, description = "`en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "The statistics.", headers(("ETag" = String, description = "Changes when more matches are counted.")),
         content((GameStats = "application/json"), (String = "text/csv"))),
        (status = 304, description = "You have them already."),
    ),
)]
pub async fn get_game_stats(
    app: Data<App>,
    game: Path<String>,
    wanted: Params<Wanted>,
    format: Format,
    language: Language,
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let (wanted, lang) = (wanted.0, language.0);
    let game = known_game(&game)?;
    let selection = wanted.selection();
    selection.check(game)?;
    let measures = wanted_measures(game, wanted.measure.as_deref())?;
    let statistics = Statistics::now(&app.db).await?;
    let tag = StatsTag::new(&statistics, format, lang, "");
    let entry = tag.entry(&app.stats, &request, app.clock.now());
    if let Some(response) = tag.not_modified(&known).or_else(|| entry.cached(&known)) {
        return Ok(response);
    }
    let (total, points) = selection.count(&statistics, game).await?;
    if let (Format::Csv, Some(points)) = (format, &points) {
        return Ok(entry.csv(tag, series_csv(points, &series_measures(&wanted, &measures))));
    }
    let document = document(game, &wanted, &measures, &total, points.as_ref(), lang);
    match format {
        Format::Json => Ok(entry.json(tag, &document)),
        Format::Csv => {
            Ok(entry.csv(tag, distributions_csv(&document.measures, &document.score_lines)))
        }
    }
}

fn series_measures(
    wanted: &Wanted,
    measures: &[&'static MeasureInfo],
) -> Vec<&'static MeasureInfo> {
    let numbers = measures.iter().filter(|info| !matches!(info.unit, Unit::Category(_)));
    let is_default = |info: &MeasureInfo| info.id == SCORE || info.id == DURATION;
    numbers.copied().filter(|info| wanted.measure.is_some() || is_default(info)).collect()
}

fn document(
    game: &'static dyn AnyGame,
    wanted: &Wanted,
    measures: &[&'static MeasureInfo],
    total: &Cell,
    points: Option<&Points>,
    lang: Lang,
) -> GameStats {
    let with_lines = wanted.measure.as_deref().is_none_or(|measure| measure == SCORE);
    let none = Distribution::default();
    GameStats {
        game: game.info().key,
        matches: total.matches,
        resigned: total.resigned,
        shared: total.shared,
        abandoned: total.abandoned,
        players: total.players.count(),
        win_rates: win_rates(total),
        rules_versions: total
            .versions
            .iter()
            .map(|(version, matches)| VersionCount { rules_version: *version, matches: *matches })
            .collect(),
        measures: measures.iter().map(|info| measure_document(info, total, lang)).collect(),
        score_lines: game
            .info()
            .score_lines
            .iter()
            .filter(|_| with_lines)
            .map(|line| ScoreLineDocument {
                id: line.id,
                label: line.label.get(lang),
                distribution: distribution(total.lines.get(line.id).unwrap_or(&none), Grain::FINE),
            })
            .collect(),
        series: points.map(|points| series(points, &series_measures(wanted, measures))),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
fn win_rates(total: &Cell) -> Vec<WinRates> {
    let table = |(seats, table): (&u8, &service::statistics::Table)| WinRates {
        seats: *seats,
        matches: table.matches,
        by_seat: Seat::all(*seats)
            .zip(table.won.iter().zip(&table.shared))
            .map(|(seat, (won, shared))| SeatWins {
                seat,
                won: *won,
                shared: *shared,
                rate: (won + shared) as f64 / table.matches.max(1) as f64,
            })
            .collect(),
    };
    total.tables.iter().map(table).collect()
}

fn series(points: &Points, measures: &[&'static MeasureInfo]) -> Vec<Point> {
    let none = Distribution::default();
    let measure = |info: &&'static MeasureInfo, cell: &Cell| {
        let values = cell.numbers.get(info.id).unwrap_or(&none);
        let there = values.count > 0;
        PointMeasure {
            id: info.id,
            count: values.count,
            mean: values.mean(),
            min: there.then_some(values.min),
            max: there.then_some(values.max),
            quantiles: quantiles(values, Grain::of(info.unit)),
        }
    };
    points
        .iter()
        .map(|((since, until), cell)| Point {
            since: *since,
            until: *until,
            matches: cell.matches,
            abandoned: cell.abandoned,
            players: cell.players.count(),
            measures: measures.iter().map(|info| measure(info, cell)).collect(),
        })
        .collect()
}

fn series_csv(points: &Points, measures: &[&'static MeasureInfo]) -> String {
    let mut table = Csv::new([
        "since",
        "until",
        "matches",
        "abandoned",
        "players",
        "measure",
        "count",
        "mean",
        "min",
        "q05",
        "q25",
        "q50",
        "q75",
        "q95",
        "max",
    ]);
    let none = Distribution::default();
    for ((since, until), cell) in points {
        for info in measures {
            let values = cell.numbers.get(info.id).unwrap_or(&none);
            let [count, mean, min, q05, q25, q50, q75, q95, max] =
                summary_cells(values, Grain::of(info.unit));
            table.row(&[
                since,
                until,
                &cell.matches,
                &cell.abandoned,
                &cell.players.count(),
                &info.id,
                &count,
                &mean,
                &min,
                &q05,
                &q25,
                &q50,
                &q75,
                &q95,
                &max,
            ]);
        }
    }
    table.finish()
}
