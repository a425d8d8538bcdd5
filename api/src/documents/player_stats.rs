//! The statistics of a player.

use std::collections::BTreeMap;

use domain::{
    erased::AnyGame,
    outcome::{MeasureInfo, Scope, Unit},
    text::Lang,
    time::Timestamp,
};
use serde::Serialize;
use service::{
    clock,
    statistics::{
        Cell, DURATION, Distribution, Grain, Numbers, PlayerDay, Rating, SCORE, Tally, date_of,
    },
};
use time::{Date, OffsetDateTime};
use utoipa::ToSchema;

use super::{
    SeatedPlayer,
    distributions::{CategoryCount, DistributionDocument},
    games::UnitName,
    iso_date,
};

/// Results of matches.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerResults {
    /// The number of matches played: won, shared and lost.
    pub played: u64,
    /// The number of matches won alone.
    pub won: u64,
    /// The number of matches won together with others.
    pub shared: u64,
    /// The number of matches not won.
    pub lost: u64,
    /// The number of lost matches from which the player resigned.
    pub abandoned: u64,
    /// Wins in a row.
    pub streak: Streak,
    /// When the first match ended.
    #[serde(with = "time::serde::rfc3339::option")]
    pub first_at: Option<OffsetDateTime>,
    /// When the last match ended.
    #[serde(with = "time::serde::rfc3339::option")]
    pub last_at: Option<OffsetDateTime>,
}

/// Wins in a row, including shared ones, in the order in which matches ended.
#[derive(Debug, Serialize, ToSchema)]
pub struct Streak {
    /// The current streak.
    pub current: u64,
    /// The longest streak.
    pub longest: u64,
}

/// The rating of a player in a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingDocument {
    /// The mean; initially 25.
    #[schema(example = 27.6)]
    pub rating: f64,
    /// The standard deviation; initially 8.33.
    #[schema(example = 5.1)]
    pub uncertainty: f64,
    /// The score on leaderboards, a conservative estimate of the player's skill: `rating - 3 * uncertainty`.
    #[schema(example = 12.3)]
    pub rank_score: f64,
    /// The number of rated matches.
    pub matches: u64,
}

/// A measure of a player, compared with that of all players.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerMeasure {
    /// The stable id.
    #[schema(example = "numbers_written")]
    pub id: &'static str,
    /// The name.
    #[schema(example = "Numbers written")]
    pub label: &'static str,
    /// The unit of its values.
    pub unit: UnitName,
    /// The number of the player's values.
    pub count: u64,
    /// The mean of the player's values.
    pub mean: Option<f64>,
    /// The mean of all players' values.
    pub mean_of_all: Option<f64>,
    /// The player's smallest value.
    pub min: Option<i64>,
    /// The player's largest value.
    pub max: Option<i64>,
    /// The player's values, if they are categories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub categories: Option<Vec<CategoryCount>>,
    /// All players' values, if they are categories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub categories_of_all: Option<Vec<CategoryCount>>,
}

/// The statistics of a player in one game.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameResults {
    /// The key of the game.
    #[schema(example = "qwinto")]
    pub game: &'static str,
    /// The results of matches.
    #[serde(flatten)]
    pub results: PlayerResults,
    /// The rating; `null` until a match was rated.
    pub rating: Option<RatingDocument>,
    /// The player's scores.
    pub scores: DistributionDocument,
    /// The mean of all players' scores.
    pub mean_score_of_all: Option<f64>,
    /// The declared measures of seats.
    pub measures: Vec<PlayerMeasure>,
}

/// The activity of a player on a day.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActivityDay {
    /// The day (UTC).
    #[serde(with = "iso_date")]
    #[schema(value_type = String, format = Date)]
    pub date: Date,
    /// The number of matches that ended on this day.
    pub played: i64,
    /// The number of these matches that the player won, alone or together with others.
    pub won: i64,
}

/// The statistics of a player.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerStats {
    /// The player.
    pub player: SeatedPlayer,
    /// The results in all games.
    pub overall: PlayerResults,
    /// The statistics in each game that the player has played.
    pub games: Vec<GameResults>,
    /// The activity by day. Days without activity are omitted.
    pub activity: Vec<ActivityDay>,
}

impl From<&Tally> for PlayerResults {
    fn from(tally: &Tally) -> Self {
        let time = |micros: i64| {
            (tally.played > 0).then(|| clock::to_datetime(Timestamp::from_micros(micros)))
        };
        Self {
            played: tally.played,
            won: tally.won,
            shared: tally.shared,
            lost: tally.lost,
            abandoned: tally.abandoned,
            streak: Streak { current: tally.streak, longest: tally.longest_streak },
            first_at: time(tally.first_at),
            last_at: time(tally.last_at),
        }
    }
}

impl GameResults {
    /// The statistics of a player in a game, compared with those of all players. `rating` comes with the number of rated
    /// matches.
    #[must_use]
    pub fn new(
        game: &'static dyn AnyGame,
        tally: &Tally,
        rating: Option<(Rating, u64)>,
        of_all: &Cell,
        measures: &[&'static MeasureInfo],
        lang: Lang,
    ) -> Self {
        let is_of_seat = |info: &MeasureInfo| {
            info.scope == Scope::Seat && info.id != SCORE && info.id != DURATION
        };
        let measures = measures.iter().filter(|info| is_of_seat(info));
        Self {
            game: game.info().key,
            results: tally.into(),
            rating: rating.map(|(rating, matches)| RatingDocument {
                rating: rating.rating,
                uncertainty: rating.uncertainty,
                rank_score: rating.rank_score(),
                matches,
            }),
            scores: DistributionDocument::new(&tally.score, Grain::FINE),
            mean_score_of_all: of_all.numbers.get(SCORE).and_then(Distribution::mean),
            measures: measures.map(|info| PlayerMeasure::new(info, tally, of_all, lang)).collect(),
        }
    }
}

impl PlayerMeasure {
    fn new(info: &'static MeasureInfo, tally: &Tally, of_all: &Cell, lang: Lang) -> Self {
        let numbers = tally.numbers.get(info.id).filter(|numbers| numbers.count > 0);
        let counts = |counts: &BTreeMap<String, BTreeMap<String, u64>>| match info.unit {
            Unit::Category(all) => Some(CategoryCount::all(all, counts.get(info.id), lang)),
            Unit::Count | Unit::Points | Unit::Milliseconds => None,
        };
        let categories = counts(&tally.categories);
        let categorised = categories.iter().flatten().map(|category| category.count).sum();
        Self {
            id: info.id,
            label: info.label.get(lang),
            unit: info.unit.into(),
            count: numbers.map_or(categorised, |numbers| numbers.count),
            mean: numbers.and_then(Numbers::mean),
            mean_of_all: of_all.numbers.get(info.id).and_then(Distribution::mean),
            min: numbers.map(|numbers| numbers.min),
            max: numbers.map(|numbers| numbers.max),
            categories,
            categories_of_all: counts(&of_all.categories),
        }
    }
}

impl ActivityDay {
    /// The activity of a player by day, in one game or in all.
    #[must_use]
    pub fn all(rows: Vec<PlayerDay>, game: Option<&str>) -> Vec<Self> {
        let mut days: BTreeMap<i32, (i64, i64)> = BTreeMap::new();
        for row in rows.into_iter().filter(|row| game.is_none_or(|game| row.game == game)) {
            let day = days.entry(row.day).or_default();
            day.0 += row.played;
            day.1 += row.won;
        }
        let document = |(day, (played, won))| Self { date: date_of(day), played, won };
        days.into_iter().map(document).collect()
    }
}
