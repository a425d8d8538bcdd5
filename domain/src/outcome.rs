//! The outcome of a match: places, scores with their breakdown, and the measures for statistics.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::text::Text;

/// The standing of one seat; recorded when the match ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Standing {
    /// The place, 1 for the best; tied seats share a place.
    pub place: u8,
    /// Whether the seat wins (or shares the win).
    pub won: bool,
    /// The score, if the game has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i64>,
    /// The breakdown of the score; its points add up to the score.
    pub breakdown: Vec<ScoreLine>,
    /// The declared measures of this seat.
    pub measures: Vec<Measured>,
}

/// One line of a score breakdown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScoreLine {
    /// The declared id of the line.
    #[schema(value_type = String, example = "row_orange")]
    pub id: Cow<'static, str>,
    /// The points, negative for penalties.
    pub points: i64,
}

impl ScoreLine {
    /// A line of a breakdown.
    #[must_use]
    pub const fn new(id: &'static str, points: i64) -> Self {
        Self { id: Cow::Borrowed(id), points }
    }
}

/// The value of one declared measure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Measured {
    /// The declared id of the measure.
    #[schema(value_type = String, example = "numbers_written")]
    pub id: Cow<'static, str>,
    /// Its value.
    pub value: MeasureValue,
}

impl Measured {
    /// A numeric measure.
    pub fn number(id: &'static str, value: impl Into<i64>) -> Self {
        Self { id: Cow::Borrowed(id), value: MeasureValue::Number(value.into()) }
    }

    /// A measure whose value is a declared category.
    #[must_use]
    pub const fn category(id: &'static str, value: &'static str) -> Self {
        Self { id: Cow::Borrowed(id), value: MeasureValue::Category(Cow::Borrowed(value)) }
    }
}

/// A number or a category.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum MeasureValue {
    /// A count, points, or milliseconds.
    Number(i64),
    /// The id of a declared category.
    #[schema(value_type = String)]
    Category(Cow<'static, str>),
}

/// Why a match is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It was ended by the rules of the game.
    Rules,
    /// All seats but one resigned, or the only seat did.
    Resignation,
}

/// The result of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Outcome {
    /// Why it is over.
    pub ending: Ending,
    /// One entry per seat, in seat order.
    pub seats: Vec<Standing>,
    /// The declared measures of the whole match.
    pub measures: Vec<Measured>,
}

/// The standings of a game at any time: one per seat, and the measures of the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standings {
    /// One entry per seat, in seat order.
    pub seats: Vec<Standing>,
    /// The declared measures of the whole match.
    pub measures: Vec<Measured>,
}

/// Places by score, highest first. Tied seats share a place, and the next place is skipped.
#[must_use]
pub fn places_by_score(scores: &[i64]) -> Vec<u8> {
    scores
        .iter()
        .map(|mine| {
            let better = scores.iter().filter(|other| *other > mine).count();
            u8::try_from(better + 1).expect("no more places than seats")
        })
        .collect()
}

/// What a measure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The whole match.
    Match,
    /// Each seat.
    Seat,
}

/// What the number of a measure means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A count.
    Count,
    /// Points of the game.
    Points,
    /// A duration in milliseconds.
    Milliseconds,
    /// One of these categories, each with its name.
    Category(&'static [(&'static str, Text)]),
}

/// A measure that a game declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasureInfo {
    /// Stable id.
    pub id: &'static str,
    /// Name for people.
    pub label: Text,
    /// What it is about.
    pub scope: Scope,
    /// What its value means.
    pub unit: Unit,
    /// Which value is best, if winners without a score are ranked by this measure.
    pub best: Option<Best>,
}

/// Which value of a measure is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Best {
    /// The smallest one.
    Lowest,
    /// The largest one.
    Highest,
}

impl MeasureInfo {
    /// A count for each seat.
    #[must_use]
    pub const fn count(id: &'static str, en: &'static str, es: &'static str) -> Self {
        Self { id, label: Text::new(en, es), scope: Scope::Seat, unit: Unit::Count, best: None }
    }

    /// The same measure with another unit.
    #[must_use]
    pub const fn in_unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }

    /// The same measure, used to rank winners without a score.
    #[must_use]
    pub const fn ranked_by(self, best: Best) -> Self {
        Self { best: Some(best), ..self }
    }

    /// The same measure for the whole match.
    #[must_use]
    pub const fn of_match(self) -> Self {
        Self { scope: Scope::Match, ..self }
    }
}

/// A line of the score breakdown that a game declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreLineInfo {
    /// Stable id.
    pub id: &'static str,
    /// Name for people.
    pub label: Text,
}

impl ScoreLineInfo {
    /// A line of the score breakdown.
    #[must_use]
    pub const fn new(id: &'static str, en: &'static str, es: &'static str) -> Self {
        Self { id, label: Text::new(en, es) }
    }
}

#[cfg(test)]
mod tests {
    use super::places_by_score;

    #[test]
    fn ties_share_a_place_and_the_next_one_is_skipped() {
        assert_eq!(places_by_score(&[10, 43, 43, -5]), [3, 1, 1, 4]);
    }
}
