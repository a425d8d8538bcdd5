//! What a seat may ask for.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A move of Universal Tapestry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = tapestry::Move)]
pub(crate) enum Move {
    /// Take a card of the draw area in hand.
    Draw {
        /// The slot of the draw area.
        #[schema(maximum = 7)]
        slot: u8,
    },
    /// Lay the card in hand on an empty cell beside the tapestry.
    Place {
        /// The row, 0 to 11 from the top of the field; the start cards lie on rows 4 to 7.
        #[schema(maximum = 11)]
        row: u8,
        /// The column, 0 to 11 from the left of the field; the start cards lie on columns 4 to 7.
        #[schema(maximum = 11)]
        column: u8,
    },
    /// Lay the card in hand in the place of a card that it beats, which is then the card in hand.
    Exchange {
        /// The row, 0 to 11 from the top of the field; the start cards lie on rows 4 to 7.
        #[schema(maximum = 11)]
        row: u8,
        /// The column, 0 to 11 from the left of the field; the start cards lie on columns 4 to 7.
        #[schema(maximum = 11)]
        column: u8,
    },
    /// Put the card in hand on the discards.
    Discard {},
}
