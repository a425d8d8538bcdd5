//! Events as they are stored, hidden information included.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    cards::{Back, Card, Figure, PeekedCard, Wind},
    components::Line,
    sprout::{Balance, Segment},
};
use crate::{
    game::{Nature, StoredEvent},
    seat::Seat,
};

/// A bid in an auction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = brotando::Bid)]
pub struct Bid {
    /// The bidder.
    pub seat: Seat,
    /// The bid in segments.
    #[schema(minimum = 1, maximum = 65_535)]
    pub amount: u16,
}

impl Bid {
    /// The price of keeping the card: half, rounded up (R4.6).
    pub(crate) const fn half(self) -> u16 {
        self.amount.div_ceil(2)
    }
}

/// How a seat obtained its card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = brotando::Deal)]
pub(crate) enum Deal {
    /// Nobody bid.
    Unbid {},
    /// The active seat kept it.
    Kept {
        /// The highest bidder, who is paid.
        bidder: Seat,
        /// Segments paid to the bidder.
        #[schema(minimum = 1, maximum = 65_535)]
        paid: u16,
    },
    /// The highest bidder bought it.
    Bought {
        /// The active seat, which is paid.
        seller: Seat,
        /// Segments paid to the seller.
        #[schema(minimum = 1, maximum = 65_535)]
        price: u16,
    },
    /// It was the last card of the day.
    Last {},
    /// A wind card was played for it.
    ByWind {},
}

/// The segments that the suns paid to a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = brotando::Reward)]
pub(crate) struct Reward {
    /// By yellow suns covered today.
    #[schema(maximum = 65_535)]
    pub(crate) yellow: u16,
    /// By red suns covered today.
    #[schema(maximum = 65_535)]
    pub(crate) red: u16,
    /// By all covered orange suns.
    #[schema(maximum = 65_535)]
    pub(crate) orange: u16,
}

impl Reward {
    pub(crate) const fn total(self) -> u16 {
        self.yellow + self.red + self.orange
    }
}

/// An event of Dos Semanas Brotando.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    DecksDealt { decks: Vec<Vec<Card>> },
    FirstSeatDrawn { seat: Seat },
    DayBegan { day: u8, first: Seat, cards: Vec<Option<Figure>> },
    BalancePassed { seat: Seat, balance: Balance },
    BalanceFailed { seat: Seat, balance: Balance, lost: u16, paid: u16 },
    SegmentDropped { seat: Seat, segment: Segment },
    DebtPaid { seat: Seat, paid: u16 },
    SelectionOpened { seat: Seat },
    CardSelected { seat: Seat, card: u8, figure: Option<Figure> },
    BidMade { seat: Seat, amount: u16 },
    BidderLeft { seat: Seat },
    BiddingClosed { highest: Bid },
    CardObtained { seat: Seat, card: u8, face: Card, deal: Deal },
    GrowthOpened {},
    SproutGrown { seat: Seat, segments: Vec<Segment>, crossed: Vec<Line> },
    GrowthSkipped { seat: Seat },
    RewardsPaid { rewards: Vec<Reward> },
    WindPlayed { seat: Seat, wind: Wind, gained: u16 },
    DeckPeeked { seat: Seat, cards: Vec<Card> },
    DeckArranged { seat: Seat, order: Vec<PeekedCard>, top: Back },
    GameEnded { hands: Vec<Vec<Wind>> },
}

impl StoredEvent for Event {
    fn nature(&self) -> Nature {
        match self {
            Self::DecksDealt { .. } | Self::FirstSeatDrawn { .. } => Nature::Luck,
            Self::DayBegan { .. }
            | Self::CardObtained { face: Card::Wind(_), .. }
            | Self::DeckPeeked { .. }
            | Self::GameEnded { .. } => Nature::Reveal,
            Self::BalancePassed { .. }
            | Self::BalanceFailed { .. }
            | Self::SegmentDropped { .. }
            | Self::DebtPaid { .. }
            | Self::SelectionOpened { .. }
            | Self::CardSelected { .. }
            | Self::BidMade { .. }
            | Self::BidderLeft { .. }
            | Self::BiddingClosed { .. }
            | Self::CardObtained { face: Card::Growth(_), .. }
            | Self::GrowthOpened {}
            | Self::SproutGrown { .. }
            | Self::GrowthSkipped { .. }
            | Self::RewardsPaid { .. }
            | Self::WindPlayed { .. }
            | Self::DeckArranged { .. } => Nature::Choice,
        }
    }
}

impl Event {
    /// Whether the event affects only the decisions of its own seat.
    pub(crate) const fn is_private_business(&self) -> bool {
        matches!(
            self,
            Self::SegmentDropped { .. } | Self::SproutGrown { .. } | Self::GrowthSkipped { .. }
        )
    }
}
