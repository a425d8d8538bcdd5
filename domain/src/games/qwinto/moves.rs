//! The moves that a seat can make.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    components::{Colour, Dice},
    state::Answer,
};

/// A move of Qwinto.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = qwinto::Move)]
pub enum Move {
    /// Roll one, two or three dice, each colour at most once.
    Roll {
        /// The colours to roll.
        #[schema(value_type = Vec<Colour>, min_items = 1, max_items = 3)]
        dice: Dice,
    },
    /// Keep the result.
    Keep {},
    /// Roll all of the same dice again; the second result is final.
    Reroll {},
    /// Write the announced sum.
    Write {
        /// The row; its colour must have been rolled.
        row: Colour,
        /// The box of the row, 0 to 8 from the left.
        #[serde(rename = "box")]
        #[schema(maximum = 8)]
        cell: u8,
    },
    /// Write nothing. If it is your turn, this marks a failure.
    Pass {},
}

impl From<Answer> for Move {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Write { row, cell } => Self::Write { row, cell },
            Answer::Pass {} => Self::Pass {},
        }
    }
}
