//! What each viewer may see of an event: everything except decks and others' wind cards (R4.10, R7.5).

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Brotando,
    cards::{Back, Card, PeekedCard, Wind},
    components::{Line, LineInfo},
    events::{Bid, Deal, Event, Reward},
    sprout::{Balance, Segment},
    view::CardView,
};
use crate::{
    game::ShowEvent,
    seat::{Seat, Viewer},
};

/// An event of Dos Semanas Brotando as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = brotando::Event)]
pub(crate) enum EventView {
    /// Every seat was dealt a deck that nobody has seen.
    DecksDealt {
        /// Cards in each deck.
        #[schema(maximum = 14)]
        cards: u8,
        /// The decks in seat order, each from the top; only in the archive.
        #[serde(skip_serializing_if = "Option::is_none")]
        decks: Option<Vec<Vec<CardView>>>,
    },
    /// The first seat of the first day was drawn.
    FirstSeatDrawn {
        /// The seat that begins.
        seat: Seat,
    },
    /// A day began, and the top card of every deck was revealed.
    DayBegan {
        /// The day.
        #[schema(minimum = 1, maximum = 14)]
        day: u8,
        /// The first seat of the day.
        first: Seat,
        /// The card of each seat, in seat order; wind cards are face down.
        cards: Vec<CardView>,
    },
    /// A balance test was passed.
    BalancePassed {
        /// The seat that was tested.
        seat: Seat,
        /// The balance of its sprout.
        balance: Balance,
    },
    /// A balance test was failed.
    BalanceFailed {
        /// The seat that was tested.
        seat: Seat,
        /// The balance of its sprout.
        balance: Balance,
        /// Segments that the test costs.
        #[schema(maximum = 65_535)]
        lost: u16,
        /// How many of them the reserve paid.
        #[schema(maximum = 65_535)]
        paid: u16,
    },
    /// A segment was dropped to pay for a failed test.
    SegmentDropped {
        /// The seat that dropped it.
        seat: Seat,
        /// The segment.
        segment: Segment,
    },
    /// Newly taken segments paid for a failed test.
    DebtPaid {
        /// The seat that paid.
        seat: Seat,
        /// The number of segments.
        #[schema(minimum = 1, maximum = 65_535)]
        paid: u16,
    },
    /// A seat became active, or stays active to select another card.
    SelectionOpened {
        /// The active seat.
        seat: Seat,
    },
    /// A card was put up for auction.
    CardSelected {
        /// The active seat.
        seat: Seat,
        /// The card, by the seat that revealed it.
        #[schema(maximum = 5)]
        card: u8,
        /// Its face, as far as everybody may see it.
        face: CardView,
    },
    /// A bid was raised.
    BidMade {
        /// The bidder.
        seat: Seat,
        /// The whole bid.
        #[schema(minimum = 1, maximum = 65_535)]
        amount: u16,
    },
    /// A bidder left the auction.
    BidderLeft {
        /// The bidder.
        seat: Seat,
    },
    /// Bidding ended: nobody is left to raise the highest bid.
    BiddingClosed {
        /// The highest bid.
        highest: Bid,
    },
    /// A seat obtained its card for the day.
    CardObtained {
        /// The seat.
        seat: Seat,
        /// The card, by the seat that revealed it.
        #[schema(maximum = 5)]
        card: u8,
        /// Its face; only the owner sees the text of a wind card.
        face: CardView,
        /// How the seat obtained it.
        deal: Deal,
    },
    /// Every seat has a card; growth begins.
    GrowthOpened {},
    /// A sprout grew.
    SproutGrown {
        /// The seat.
        seat: Seat,
        /// The segments placed.
        segments: Vec<Segment>,
        /// The lines crossed for the first time.
        crossed: Vec<LineInfo>,
    },
    /// A sprout could not grow.
    GrowthSkipped {
        /// The seat.
        seat: Seat,
    },
    /// The suns paid.
    RewardsPaid {
        /// The reward of each seat, in seat order.
        rewards: Vec<Reward>,
    },
    /// A wind card was played.
    WindPlayed {
        /// The seat that played it.
        seat: Seat,
        /// The card.
        wind: Wind,
        /// The segments it gave.
        #[schema(maximum = 6)]
        gained: u16,
    },
    /// A seat looked at the next cards of its deck.
    DeckPeeked {
        /// The seat that looked.
        seat: Seat,
        /// The number of cards.
        #[schema(minimum = 1, maximum = 3)]
        count: u8,
        /// The cards from the top, if the viewer saw them.
        #[serde(skip_serializing_if = "Option::is_none")]
        cards: Option<Vec<CardView>>,
    },
    /// A seat put these cards back on its deck.
    DeckArranged {
        /// The seat.
        seat: Seat,
        /// The order, if the viewer knows it: for each position from the top, the index of the card among those seen.
        #[serde(skip_serializing_if = "Option::is_none")]
        order: Option<Vec<PeekedCard>>,
        /// The back of the top card.
        top: Back,
    },
    /// The last day is over, and hands are revealed.
    GameEnded {
        /// The wind cards in each hand, in seat order.
        hands: Vec<Vec<Wind>>,
    },
}

impl ShowEvent for Brotando {
    fn event_view(event: &Event, viewer: Viewer) -> EventView {
        match event.clone() {
            Event::DecksDealt { decks } => EventView::DecksDealt {
                cards: count(decks.first().expect("at least two decks")),
                decks: (viewer == Viewer::Archive).then(|| {
                    let open = |deck: Vec<_>| deck.into_iter().map(CardView::open).collect();
                    decks.into_iter().map(open).collect()
                }),
            },
            Event::FirstSeatDrawn { seat } => EventView::FirstSeatDrawn { seat },
            Event::DayBegan { day, first, cards } => EventView::DayBegan {
                day,
                first,
                cards: cards.into_iter().map(CardView::closed).collect(),
            },
            Event::BalancePassed { seat, balance } => EventView::BalancePassed { seat, balance },
            Event::BalanceFailed { seat, balance, lost, paid } => {
                EventView::BalanceFailed { seat, balance, lost, paid }
            }
            Event::SegmentDropped { seat, segment } => EventView::SegmentDropped { seat, segment },
            Event::DebtPaid { seat, paid } => EventView::DebtPaid { seat, paid },
            Event::SelectionOpened { seat } => EventView::SelectionOpened { seat },
            Event::CardSelected { seat, card, figure } => {
                EventView::CardSelected { seat, card, face: CardView::closed(figure) }
            }
            Event::BidMade { seat, amount } => EventView::BidMade { seat, amount },
            Event::BidderLeft { seat } => EventView::BidderLeft { seat },
            Event::BiddingClosed { highest } => EventView::BiddingClosed { highest },
            Event::CardObtained { seat, card, face, deal } => {
                let face = CardView::of(face, viewer.sees(seat)); // R4.10
                EventView::CardObtained { seat, card, face, deal }
            }
            Event::GrowthOpened {} => EventView::GrowthOpened {},
            Event::SproutGrown { seat, segments, crossed } => EventView::SproutGrown {
                seat,
                segments,
                crossed: crossed.into_iter().map(Line::info).collect(),
            },
            Event::GrowthSkipped { seat } => EventView::GrowthSkipped { seat },
            Event::RewardsPaid { rewards } => EventView::RewardsPaid { rewards },
            Event::WindPlayed { seat, wind, gained } => {
                EventView::WindPlayed { seat, wind, gained }
            }
            Event::DeckPeeked { seat, cards } => EventView::DeckPeeked {
                seat,
                count: count(&cards),
                cards: viewer.sees(seat).then(|| cards.into_iter().map(CardView::open).collect()), // R7.5
            },
            Event::DeckArranged { seat, order, top } => {
                EventView::DeckArranged { seat, order: viewer.sees(seat).then_some(order), top } // R7.5
            }
            Event::GameEnded { hands } => EventView::GameEnded { hands },
        }
    }
}

fn count(cards: &[Card]) -> u8 {
    u8::try_from(cards.len()).expect("a deck has 14 cards")
}
