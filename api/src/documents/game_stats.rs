//! The statistics of a game.

use domain::{
    erased::AnyGame,
    outcome::{MeasureInfo, Unit},
    seat::Seat,
    text::Lang,
};
use serde::Serialize;
use service::statistics::{Cell, DURATION, Distribution, Grain, Points, SCORE};
use time::Date;
use utoipa::ToSchema;

use super::{
    distributions::{MeasureDocument, Quantiles, ScoreLineDocument},
    iso_date,
};

/// How often each seat wins.
#[derive(Debug, Serialize, ToSchema)]
pub struct WinRates {
    /// The number of seats in these matches.
    #[schema(minimum = 1, maximum = 8)]
    pub seats: u8,
    /// The number of matches.
    pub matches: u64,
    /// One entry per seat.
    pub by_seat: Vec<SeatWins>,
}

/// How often a seat wins.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatWins {
    /// The seat.
    pub seat: Seat,
    /// The number of matches that it won alone.
    pub won: u64,
    /// The number of matches that it won together with others.
    pub shared: u64,
    /// The share of matches that it won, alone or together with others.
    #[schema(example = 0.5)]
    pub rate: f64,
}

/// The number of matches under a version of the rules.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionCount {
    /// The version.
    pub rules_version: u16,
    /// The number of matches.
    pub matches: u64,
}

/// A measure at one point of a series.
#[derive(Debug, Serialize, ToSchema)]
pub struct PointMeasure {
    /// The stable id.
    #[schema(example = "score")]
    pub id: &'static str,
    /// The number of values.
    pub count: u64,
    /// The mean; `null` without values.
    pub mean: Option<f64>,
    /// The smallest value; `null` without values.
    pub min: Option<i64>,
    /// The largest value; `null` without values.
    pub max: Option<i64>,
    /// The quantiles; `null` without values.
    pub quantiles: Option<Quantiles>,
}

/// A day, week or month of a series.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeriesPoint {
    /// Its first day.
    #[serde(with = "iso_date")]
    #[schema(value_type = String, format = Date)]
    pub since: Date,
    /// The day after its last.
    #[serde(with = "iso_date")]
    #[schema(value_type = String, format = Date)]
    pub until: Date,
    /// The number of matches that were played.
    pub matches: u64,
    /// The number of matches that everybody left before they started.
    pub abandoned: u64,
    /// The number of different players.
    pub players: u64,
    /// `score` and `duration_ms`, or the requested measure. Categories are omitted.
    pub measures: Vec<PointMeasure>,
}

/// The statistics of a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameStats {
    /// The key of the game.
    #[schema(example = "qwinto")]
    pub game: &'static str,
    /// The number of matches that were played, to the end or until all but one player had resigned.
    pub matches: u64,
    /// The number of these matches that ended by resignation.
    pub resigned: u64,
    /// The number of these matches with more than one winner.
    pub shared: u64,
    /// The number of matches that everybody left before they started. No other number includes them.
    pub abandoned: u64,
    /// The number of different players: exact below 1,024, beyond that with a standard error of 3 %.
    pub players: u64,
    /// Wins by number of seats and by seat.
    pub win_rates: Vec<WinRates>,
    /// Matches by version of the rules.
    pub rules_versions: Vec<VersionCount>,
    /// Score, duration and every declared measure, or the requested measure.
    pub measures: Vec<MeasureDocument>,
    /// How scores break down; empty if a measure other than `score` is requested.
    pub score_lines: Vec<ScoreLineDocument>,
    /// The series, if `bucket` asks for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<Vec<SeriesPoint>>,
}

impl GameStats {
    /// The statistics of a game, with all its measures or only one of them.
    #[must_use]
    pub fn new(
        game: &'static dyn AnyGame,
        measures: &[&'static MeasureInfo],
        only: Option<&str>,
        total: &Cell,
        points: Option<&Points>,
        lang: Lang,
    ) -> Self {
        let has_score = only.is_none_or(|measure| measure == SCORE);
        let lines = game.info().score_lines.iter().filter(|_| has_score);
        let versions = total.versions.iter();
        Self {
            game: game.info().key,
            matches: total.matches,
            resigned: total.resigned,
            shared: total.shared,
            abandoned: total.abandoned,
            players: total.players.count(),
            win_rates: win_rates(total),
            rules_versions: versions
                .map(|(version, matches)| VersionCount {
                    rules_version: *version,
                    matches: *matches,
                })
                .collect(),
            measures: measures.iter().map(|info| MeasureDocument::new(info, total, lang)).collect(),
            score_lines: lines.map(|line| ScoreLineDocument::new(line, total, lang)).collect(),
            series: points.map(|points| series(points, &series_measures(measures, only))),
        }
    }
}

/// The measures in a series: those with numbers, and by default only score and duration.
#[must_use]
pub fn series_measures(
    measures: &[&'static MeasureInfo],
    only: Option<&str>,
) -> Vec<&'static MeasureInfo> {
    let numbers = measures.iter().filter(|info| !matches!(info.unit, Unit::Category(_)));
    let is_default = |info: &MeasureInfo| info.id == SCORE || info.id == DURATION;
    numbers.copied().filter(|info| only.is_some() || is_default(info)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
fn win_rates(total: &Cell) -> Vec<WinRates> {
    let mut rates = Vec::new();
    for (seats, results) in &total.seat_wins {
        let wins = results.won.iter().zip(&results.shared);
        let by_seat = Seat::all(*seats).zip(wins).map(|(seat, (won, shared))| SeatWins {
            seat,
            won: *won,
            shared: *shared,
            rate: (won + shared) as f64 / results.matches.max(1) as f64,
        });
        let by_seat = by_seat.collect();
        rates.push(WinRates { seats: *seats, matches: results.matches, by_seat });
    }
    rates
}

fn series(points: &Points, measures: &[&'static MeasureInfo]) -> Vec<SeriesPoint> {
    let none = Distribution::default();
    let measure = |info: &&'static MeasureInfo, cell: &Cell| {
        let values = cell.numbers.get(info.id).unwrap_or(&none);
        let has_values = values.count > 0;
        PointMeasure {
            id: info.id,
            count: values.count,
            mean: values.mean(),
            min: has_values.then_some(values.min),
            max: has_values.then_some(values.max),
            quantiles: Quantiles::of(values, Grain::of(info.unit)),
        }
    };
    let point = |((since, until), cell): (&(Date, Date), &Cell)| SeriesPoint {
        since: *since,
        until: *until,
        matches: cell.matches,
        abandoned: cell.abandoned,
        players: cell.players.count(),
        measures: measures.iter().map(|info| measure(info, cell)).collect(),
    };
    points.iter().map(point).collect()
}
