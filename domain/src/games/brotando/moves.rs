//! The moves that a seat can make.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    cards::{PeekedCard, Wind},
    sprout::Segment,
};

/// A move of Dos Semanas Brotando.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = brotando::Move)]
pub enum Move {
    /// Drop a segment of your sprout to pay for a failed balance test.
    Drop {
        /// A segment of your sprout.
        segment: Segment,
    },
    /// As the active seat, select a card from the centre for auction.
    Select {
        /// The card, by the seat that revealed it.
        #[schema(maximum = 5)]
        card: u8,
    },
    /// Raise the bid.
    Bid {
        /// The whole bid in segments: higher than the highest bid so far, at most your reserve.
        #[schema(minimum = 1, maximum = 65_535)]
        amount: u16,
    },
    /// Leave the auction for good.
    Leave {},
    /// Keep the selected card and pay half the highest bid, rounded up, to the bidder.
    Keep {},
    /// Sell the selected card for the highest bid.
    Sell {},
    /// Place segments from your reserve on your board, as your card says.
    Grow {
        /// The segments to place; their order does not matter.
        #[schema(value_type = Vec<Segment>, min_items = 1, max_items = 3)]
        segments: Placement,
    },
    /// Place nothing. Only allowed if nothing can be placed.
    Skip {},
    /// Play a wind card.
    PlayWind {
        /// The card and its target, if it has one.
        wind: WindPlay,
    },
    /// Put the cards that you are looking at back on your deck.
    Arrange {
        /// For each position from the top, the card that goes there, as an index into the cards shown.
        #[schema(min_items = 1, max_items = 3)]
        order: Vec<PeekedCard>,
    },
}

/// A wind card being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = brotando::WindPlay)]
pub enum WindPlay {
    /// Take six segments.
    TakeSix {},
    /// Look at the next three cards of your deck; `arrange` has to follow.
    ReorderDeck {},
    /// Take four segments, on a day when you have passed a balance test.
    BalanceFour {},
    /// As the active seat, take a card without an auction: any when you select, the selected one until the first bid.
    TakeCard {
        /// The card, by the seat that revealed it.
        #[schema(maximum = 5)]
        card: u8,
    },
}

impl WindPlay {
    pub(crate) const fn wind(self) -> Wind {
        match self {
            Self::TakeSix {} => Wind::TakeSix,
            Self::ReorderDeck {} => Wind::ReorderDeck,
            Self::BalanceFour {} => Wind::BalanceFour,
            Self::TakeCard { .. } => Wind::TakeCard,
        }
    }
}

/// Segments to place, sorted so that the same growth is always the same move.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Segment>", into = "Vec<Segment>")]
pub struct Placement(Vec<Segment>);

impl Placement {
    /// The segments in order.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }
}

impl From<Vec<Segment>> for Placement {
    fn from(mut segments: Vec<Segment>) -> Self {
        segments.sort_unstable();
        Self(segments)
    }
}

impl From<Placement> for Vec<Segment> {
    fn from(placement: Placement) -> Self {
        placement.0
    }
}
