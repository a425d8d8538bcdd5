//! Hints.

use bots::{Choice, Considered};
use domain::{bot::BotLevel, matches::Match, seat::Seat, text::Lang};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::schema::AnyMove;

/// The most moves in a hint.
const MOVES: usize = 10;

/// What a bot would do in your place.
#[derive(Debug, Serialize, ToSchema)]
pub struct Hint {
    /// The version of the match that it is about.
    #[schema(example = 17)]
    pub version: u64,
    /// Your seat.
    pub seat: Seat,
    /// The level of the bot.
    pub level: BotLevel,
    /// How many times the bot played the match on; 0 if there was nothing to choose.
    pub playouts: u32,
    /// The best moves, at most 10, the best first. Empty if the match does not wait for you, and if the bot finds no
    /// situation that agrees with what you know.
    pub moves: Vec<HintMove>,
}

/// A move that a bot considered.
#[derive(Debug, Serialize, ToSchema)]
pub struct HintMove {
    /// The move, ready for `POST /v1/matches/{id}/moves`.
    #[serde(rename = "move")]
    #[schema(value_type = AnyMove)]
    pub mv: Box<RawValue>,
    /// The move in words.
    #[schema(example = "Roll the orange and purple dice")]
    pub label: String,
    /// How many times the bot played on after this move.
    pub visits: u32,
    /// The expected result of every seat after this move.
    pub expected: Vec<ExpectedResult>,
}

/// The expected result of a seat.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExpectedResult {
    /// The seat.
    pub seat: Seat,
    /// The probability of a win; shared wins count in parts.
    #[schema(minimum = 0, maximum = 1)]
    pub win: f64,
    /// The expected place, from 1.
    #[schema(minimum = 1)]
    pub place: f64,
}

impl Hint {
    /// What a bot thinks of the decision of a seat, if there is one, in a language.
    #[must_use]
    pub fn new(
        m: &Match,
        seat: Seat,
        level: BotLevel,
        choice: Option<&Choice>,
        lang: Lang,
    ) -> Self {
        let considered = choice.iter().flat_map(|choice| &choice.moves).take(MOVES);
        Self {
            version: m.version(),
            seat,
            level,
            playouts: choice.map_or(0, |choice| choice.playouts),
            moves: considered.map(|considered| HintMove::new(m, seat, considered, lang)).collect(),
        }
    }
}

impl HintMove {
    fn new(m: &Match, seat: Seat, considered: &Considered, lang: Lang) -> Self {
        let label = m.state().map(|state| state.label(seat, &considered.mv, lang));
        let results = Seat::all(m.seat_count()).zip(&considered.wins).zip(&considered.places);
        Self {
            mv: considered.mv.encode(),
            label: label.unwrap_or_default(),
            visits: considered.visits,
            expected: results
                .map(|((seat, win), place)| ExpectedResult {
                    seat,
                    win: thousandths(*win),
                    place: thousandths(*place),
                })
                .collect(),
        }
    }
}

/// Rounded to three digits; the others say nothing.
fn thousandths(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}
