//! The moves that a seat can make.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    cards::Card,
    components::{Axis, Colour},
    slots::{Slot, Slots},
};

/// A move of Trama.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = trama::Move)]
pub(crate) enum Move {
    /// Pick a cord from your hand. The pick stays hidden until every seat has picked.
    Pick {
        /// The colour of the cord.
        colour: Colour,
    },
    /// Weave one of the cords that you have collected. It cannot be moved later.
    Weave {
        /// The colour of the cord.
        colour: Colour,
        /// The direction in which it runs.
        axis: Axis,
        /// An empty slot of that axis: 0 to 7 from the left (vertical) or from the top (horizontal).
        slot: Slot,
        /// The occupied slots of the other axis whose cords it passes over, without repetition; it passes under all others.
        #[schema(value_type = Vec<Slot>, max_items = 8)]
        over: Slots,
    },
    /// Place a button: a round one on an adjacent card, a square one on an interlaced card.
    PlaceButton {
        /// A card on the table without a button of yours.
        card: Card,
    },
}
