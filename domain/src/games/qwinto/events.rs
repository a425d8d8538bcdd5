//! Events as they are stored, hidden information included.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{components::Colour, state::Answer};
use crate::{
    game::{Nature, StoredEvent},
    seat::Seat,
};

/// A die and what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = qwinto::Die)]
pub struct Die {
    /// The colour of the die.
    pub colour: Colour,
    /// What it shows.
    #[schema(minimum = 1, maximum = 6)]
    pub face: u8,
}

/// Why the rules ended a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = qwinto::EndReason)]
pub enum EndReason {
    /// A seat completed two rows (R4.1).
    TwoRows,
    /// A seat marked its fourth failure (R4.2).
    FourFailures,
}

/// An event of Qwinto.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    FirstSeatDrawn { seat: Seat },
    DiceRolled { dice: Vec<Die> },
    DiceRerolled { dice: Vec<Die> },
    SumAnnounced { sum: u8 },
    AnswerGiven { seat: Seat, answer: Answer },
    AnswersRevealed { answers: Vec<Answer> },
    TurnPassed { seat: Seat },
    GameEnded { reason: EndReason },
}

impl StoredEvent for Event {
    fn nature(&self) -> Nature {
        match self {
            Self::FirstSeatDrawn { .. } | Self::DiceRolled { .. } | Self::DiceRerolled { .. } => {
                Nature::Luck
            }
            Self::AnswersRevealed { .. } => Nature::Reveal,
            Self::SumAnnounced { .. }
            | Self::AnswerGiven { .. }
            | Self::TurnPassed { .. }
            | Self::GameEnded { .. } => Nature::Choice,
        }
    }
}
