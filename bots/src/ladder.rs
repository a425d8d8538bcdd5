//! The measured strength of the levels: what `make ladder` has written to ladder.json.

use std::{fmt, sync::LazyLock};

use domain::bot::BotLevel;
use serde::{Deserialize, Serialize};

use crate::Settings;

/// The ladder of this version.
#[must_use]
pub fn ladder() -> &'static Ladder {
    static PUBLISHED: LazyLock<Ladder> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../ladder.json")).expect("tests read bots/ladder.json")
    });
    &PUBLISHED
}

/// Results of matches between levels.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ladder {
    /// One row for every pairing that has been played.
    pub rows: Vec<Row>,
}

/// How a player does against another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The key of the game.
    pub game: String,
    /// The number of seats.
    pub seats: u8,
    /// The player.
    pub player: Contestant,
    /// Its opponent, which has every other seat; absent in a solo game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Contestant>,
    /// What the two levels meant when they played, such as `p60h20w32`; `random` for random play. A row that was measured with
    /// other settings than today's says nothing about today's levels.
    pub settings: Vec<String>,
    /// The number of the first deal. Two players play every deal from both sides.
    pub first_deal: u64,
    /// The number of matches.
    pub matches: u32,
    /// The matches that the player won, shared wins counting half. With more than two seats, a match counts as the part of its
    /// duels that the player won: pairs of its seats and seats of the opponent.
    pub score: f64,
    /// Solo games: the sum of the cells filled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<f64>,
}

/// Somebody who plays on the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Contestant {
    /// Chooses among all legal moves with equal probability.
    Random,
    /// A bot.
    Bot(BotLevel),
}

impl Contestant {
    /// All of them, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        [Self::Random].into_iter().chain(BotLevel::ALL.map(Self::Bot))
    }

    /// What the contestant is in a game.
    #[must_use]
    pub fn settings(self, game: &str) -> Option<Settings> {
        match self {
            Self::Random => None,
            Self::Bot(level) => Some(Settings::of(level, game)),
        }
    }

    /// The same as text: `p60h20w32`, or `random`.
    #[must_use]
    pub fn described(self, game: &str) -> String {
        self.settings(game).map_or_else(|| self.to_string(), |settings| settings.to_string())
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::Bot(level) => level.id(),
        })
    }
}

impl From<Contestant> for String {
    fn from(contestant: Contestant) -> Self {
        contestant.to_string()
    }
}

impl TryFrom<String> for Contestant {
    type Error = String;

    fn try_from(id: String) -> Result<Self, String> {
        let found = Self::all().find(|contestant| contestant.to_string() == id);
        found.ok_or_else(|| format!("{id} is neither a level nor `random`"))
    }
}

/// A part of matches, with its 95 % interval (Wilson).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// From 0 to 1.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The number of matches.
    pub matches: u32,
}

impl Share {
    /// The share of a score that is at most the number of matches. Shared wins make the interval a little wider than necessary.
    #[must_use]
    pub fn new(score: f64, matches: u32) -> Self {
        let n = f64::from(matches.max(1));
        let share = score / n;
        let centre = share + Z * Z / (2.0 * n);
        let width = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        let end = |end: f64| (end / scale).clamp(0.0, 1.0);
        Self { share, low: end(centre - width), high: end(centre + width), matches }
    }
}

/// 95 % of a normal distribution lie within so many standard deviations.
const Z: f64 = 1.96;

/// How strong a level is in a game of two, on the scale of Elo: 200 points more win about three matches out of four.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rating {
    /// The difference to random play, which has 0.
    pub points: i32,
    /// Half of the 95 % interval.
    pub margin: i32,
}

impl Ladder {
    /// The row of a pairing.
    #[must_use]
    pub fn row(
        &self,
        game: &str,
        seats: u8,
        player: Contestant,
        against: Option<Contestant>,
    ) -> Option<&Row> {
        self.rows.iter().find(|row| {
            row.game == game && (row.seats, row.player, row.against) == (seats, player, against)
        })
    }

    /// The rating of a level in a game for two or more, by matches of two. `None` if it, or a level below it, was not measured.
    ///
    /// It is the sum of the differences between neighbours on the ladder. A pairing that one side always won counts as if
    /// half a match more had been played and lost, or the difference would be infinite.
    #[must_use]
    pub fn rating(&self, game: &str, level: BotLevel) -> Option<Rating> {
        let contestants: Vec<Contestant> =
            Contestant::all().filter(|it| *it <= Contestant::Bot(level)).collect();
        let (mut sum, mut variance) = (0.0, 0.0);
        for [below, above] in contestants.array_windows() {
            let Row { matches, score, .. } = *self.row(game, 2, *above, Some(*below))?;
            let matches = f64::from(matches) + 1.0;
            let won = (score + 0.5) / matches;
            sum += (won / (1.0 - won)).ln();
            variance += 1.0 / (matches * won * (1.0 - won));
        }
        Some(Rating { points: elo(sum), margin: elo(Z * variance.sqrt()) })
    }

    /// The part of solo matches that a contestant wins.
    #[must_use]
    pub fn completion(&self, game: &str, player: Contestant) -> Option<Share> {
        let row = self.row(game, 1, player, None)?;
        Some(Share::new(row.score, row.matches))
    }
}

/// Elo's scale: ten times the odds are 400 points.
#[expect(clippy::cast_possible_truncation, reason = "a few thousand points at most")]
fn elo(log_odds: f64) -> i32 {
    (log_odds * 400.0 / std::f64::consts::LN_10).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(player: BotLevel, against: Contestant, matches: u32, score: f64) -> Row {
        Row {
            game: "qwinto".to_owned(),
            seats: 2,
            player: Contestant::Bot(player),
            against: Some(against),
            settings: Vec::new(),
            first_deal: 0,
            matches,
            score,
            cells: None,
        }
    }

    #[test]
    fn ratings_add_up_from_random_play() {
        let novice = Contestant::Bot(BotLevel::Novice);
        let ladder = Ladder {
            rows: vec![
                row(BotLevel::Novice, Contestant::Random, 1999, 1519.5),
                row(BotLevel::Casual, novice, 1999, 1519.5),
            ],
        };
        // 1,520 of 2,000: 76 %, which are 200 points.
        assert_eq!(
            ladder.rating("qwinto", BotLevel::Novice),
            Some(Rating { points: 200, margin: 18 })
        );
        assert_eq!(
            ladder.rating("qwinto", BotLevel::Casual),
            Some(Rating { points: 400, margin: 25 })
        );
        assert_eq!(ladder.rating("qwinto", BotLevel::Club), None);
    }

    #[test]
    fn a_pairing_that_was_always_won_has_a_finite_rating() {
        let ladder = Ladder { rows: vec![row(BotLevel::Novice, Contestant::Random, 40, 40.0)] };
        let rating = ladder.rating("qwinto", BotLevel::Novice).expect("measured");
        assert!((700..800).contains(&rating.points) && rating.margin > 300, "{rating:?}");
    }

    #[test]
    fn the_interval_is_wilsons() {
        let Share { share, low, high, .. } = Share::new(40.0, 40);
        assert!((share - 1.0).abs() < 1e-9 && (low - 0.912).abs() < 1e-3, "{low}");
        assert!((high - 1.0).abs() < 1e-9, "{high}");
    }
}
