//! Events as they are stored, hidden information included.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    components::{Card, Colour, SLOTS, START},
    score::Rank,
};
use crate::game::{Nature, StoredEvent};

/// Why the rules ended a match: `completed`, the tapestry is complete (a win); `cards_exhausted`, all cards are used up
/// and it has gaps (a loss).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = tapestry::EndReason)]
pub enum EndReason {
    /// In `discards` mode, all cards are used up as well (R7.1, R7.2).
    Completed,
    /// The tapestry has gaps (R7.2, R7.3).
    CardsExhausted,
}

/// An event of Universal Tapestry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    /// All 72 cards: the start cards from the top, the draw area by slot, the deck from its top.
    CardsDealt {
        start: [Card; START],
        area: [Card; SLOTS],
        deck: Vec<Card>,
    },
    CardDrawn {
        slot: u8,
        card: Card,
    },
    CardPlaced {
        row: u8,
        column: u8,
        card: Card,
    },
    CardExchanged {
        row: u8,
        column: u8,
        card: Card,
        lifted: Card,
    },
    CardDiscarded {
        card: Card,
    },
    /// The deck's top card, of this colour, went to the slot; the next one shows its back.
    SlotRefilled {
        slot: u8,
        colour: Colour,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<Colour>,
    },
    GameEnded {
        reason: EndReason,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rank: Option<Rank>,
    },
}

impl StoredEvent for Event {
    fn nature(&self) -> Nature {
        match self {
            Self::CardsDealt { .. } => Nature::Luck,
            // A body that was face down; the back of a card that was covered.
            Self::CardDrawn { .. } | Self::SlotRefilled { next: Some(_), .. } => Nature::Reveal,
            Self::SlotRefilled { next: None, .. }
            | Self::CardPlaced { .. }
            | Self::CardExchanged { .. }
            | Self::CardDiscarded { .. }
            | Self::GameEnded { .. } => Nature::Choice,
        }
    }
}
