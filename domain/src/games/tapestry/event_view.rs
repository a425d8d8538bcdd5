//! What each viewer may see of an event: everything except the bodies of face-down cards and the deck below the
//! back of its top card (R1.2). The archive sees those, too.

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Tapestry,
    components::{Card, Colour},
    events::{EndReason, Event},
    score::Rank,
    view::{Back, LaidCard, back, laid},
    weave::Cell,
};
use crate::{game::ShowEvent, seat::Viewer};

/// An event of Universal Tapestry as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = tapestry::Event)]
pub(crate) enum EventView {
    /// The cards were dealt.
    CardsDealt {
        /// The start cards, from the top.
        #[schema(min_items = 4, max_items = 4)]
        start: Vec<LaidCard>,
        /// The draw area, by slots.
        #[schema(min_items = 8, max_items = 8)]
        draw_area: Vec<Back>,
        /// The colour of the deck's top card.
        #[schema(required = true)]
        top: Option<Colour>,
        /// The deck from its top, hidden until the match is over.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(max_items = 60)]
        deck: Option<Vec<Card>>,
    },
    /// A card was drawn and turned face up.
    CardDrawn {
        /// The slot of the draw area.
        #[schema(maximum = 7)]
        slot: u8,
        /// The card, now in hand.
        card: Card,
    },
    /// The card in hand was placed.
    CardPlaced {
        /// The row of the field, from the top.
        #[schema(maximum = 11)]
        row: u8,
        /// The column of the field, from the left.
        #[schema(maximum = 11)]
        column: u8,
        /// The card.
        card: Card,
    },
    /// The card in hand took the place of another.
    CardExchanged {
        /// The row of the field, from the top.
        #[schema(maximum = 11)]
        row: u8,
        /// The column of the field, from the left.
        #[schema(maximum = 11)]
        column: u8,
        /// The card that is there now.
        card: Card,
        /// The card that it replaced, now in hand.
        lifted: Card,
    },
    /// The card in hand was discarded.
    CardDiscarded {
        /// The card.
        card: Card,
    },
    /// The top card of the deck filled the empty slot.
    SlotRefilled {
        /// The slot of the draw area.
        #[schema(maximum = 7)]
        slot: u8,
        /// The colour of that card.
        colour: Colour,
        /// The colour of the deck's new top card, `null` if the deck is empty.
        #[schema(required = true)]
        next: Option<Colour>,
    },
    /// The rules ended the match.
    GameEnded {
        /// Why it ended.
        reason: EndReason,
        /// The rank of a complete tapestry in `time` mode.
        #[serde(skip_serializing_if = "Option::is_none")]
        rank: Option<Rank>,
    },
}

impl ShowEvent for Tapestry {
    fn event_view(event: &Event, viewer: Viewer) -> EventView {
        match *event {
            Event::CardsDealt { start, area, ref deck } => EventView::CardsDealt {
                start: Cell::start().into_iter().zip(start).map(laid).collect(),
                draw_area: area.map(|card| back(card, viewer)).into(),
                top: deck.first().map(|card| card.colour),
                deck: (viewer == Viewer::Archive).then(|| deck.clone()),
            },
            Event::CardDrawn { slot, card } => EventView::CardDrawn { slot, card },
            Event::CardPlaced { row, column, card } => EventView::CardPlaced { row, column, card },
            Event::CardExchanged { row, column, card, lifted } => {
                EventView::CardExchanged { row, column, card, lifted }
            }
            Event::CardDiscarded { card } => EventView::CardDiscarded { card },
            Event::SlotRefilled { slot, colour, next } => {
                EventView::SlotRefilled { slot, colour, next }
            }
            Event::GameEnded { reason, rank } => EventView::GameEnded { reason, rank },
        }
    }
}
