//! How lucky the seats of a match were.

use domain::{
    luck::{Ledger, Luck},
    matches::Match,
    seat::Seat,
    text::Lang,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::games::LuckFigure;

/// The luck of every seat of a match.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchLuck {
    /// The id of the match.
    pub id: Uuid,
    /// The key of the game.
    #[schema(example = "qwinto")]
    pub game: &'static str,
    /// The version of its rules.
    #[schema(example = 1)]
    pub rules_version: u16,
    /// What the figures mean.
    pub figures: Vec<LuckFigure>,
    /// One entry per seat, in seat order.
    pub seats: Vec<SeatLuck>,
}

/// The luck of a seat.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatLuck {
    /// The seat.
    pub seat: Seat,
    /// The player; `null` if the seat was never taken.
    pub player: Option<Uuid>,
    /// Every figure, in the order in which the game declares them.
    pub figures: Vec<SeatFigure>,
}

/// What a seat got by chance, compared with what it could expect. Rounded to four decimals.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatFigure {
    /// The id of the figure.
    #[schema(example = "sums")]
    pub id: &'static str,
    /// The number of draws.
    #[schema(example = 12)]
    pub count: u32,
    /// The sum of what was drawn.
    #[schema(example = 91.0)]
    pub observed: f64,
    /// The sum of the expected values.
    #[schema(example = 84.0)]
    pub expected: f64,
    /// The standard deviation of that sum.
    #[schema(example = 8.3666)]
    pub deviation: f64,
    /// By how many standard deviations `observed` exceeds `expected`; 0 if nothing was left to chance.
    #[schema(example = 0.8367)]
    pub z: f64,
}

impl MatchLuck {
    /// The luck of a match, labelled in a language.
    #[must_use]
    pub fn new(m: &Match, ledger: &Ledger, lang: Lang) -> Self {
        let info = m.game().info();
        let seats = Seat::all(m.seat_count()).map(|seat| SeatLuck {
            seat,
            player: m.sitter(seat).map(|sitter| sitter.player),
            figures: ledger.of(seat).iter().map(SeatFigure::new).collect(),
        });
        Self {
            id: m.id(),
            game: info.key,
            rules_version: m.rules_version(),
            figures: info.luck.iter().map(|info| LuckFigure::new(info, lang)).collect(),
            seats: seats.collect(),
        }
    }
}

impl SeatFigure {
    fn new(luck: &Luck) -> Self {
        // Adding zero turns -0 into 0.
        let round = |number: f64| (number * 1e4).round() / 1e4 + 0.0;
        Self {
            id: luck.info.id,
            count: luck.count,
            observed: round(luck.observed),
            expected: round(luck.expected),
            deviation: round(luck.deviation()),
            z: round(luck.z()),
        }
    }
}
