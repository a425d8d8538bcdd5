//! The moves that a seat can make.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A move of Universal Tapestry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = tapestry::Move)]
pub enum Move {
    /// Draw a card from the draw area.
    Draw {
        /// The slot of the draw area.
        #[schema(maximum = 7)]
        slot: u8,
    },
    /// Place the card in hand on an empty cell next to the tapestry.
    Place {
        /// The row, 0 to 11 from the top of the field; the start cards are in rows 4 to 7.
        #[schema(maximum = 11)]
        row: u8,
        /// The column, 0 to 11 from the left of the field; the start cards are in columns 4 to 7.
        #[schema(maximum = 11)]
        column: u8,
    },
    /// Put the card in hand in the place of a card that it beats, which becomes the card in hand.
    Exchange {
        /// The row, 0 to 11 from the top of the field; the start cards are in rows 4 to 7.
        #[schema(maximum = 11)]
        row: u8,
        /// The column, 0 to 11 from the left of the field; the start cards are in columns 4 to 7.
        #[schema(maximum = 11)]
        column: u8,
    },
    /// Discard the card in hand.
    Discard {},
}
