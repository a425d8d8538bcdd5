//! What each viewer may see of an event: everything except other seats' picks until all are revealed (R3.2).

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Trama,
    cards::{Button, Card, Objective},
    components::{Axis, Colour},
    cords::Cords,
    events::Event,
    slots::{Slot, Slots},
};
use crate::{
    game::ShowEvent,
    seat::{Seat, Viewer},
};

/// An event of Trama as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = trama::Event)]
pub(crate) enum EventView {
    /// The cards of the match were drawn.
    TableSet {
        /// The shared objective.
        objective: Objective,
        /// The four adjacent cards.
        #[schema(min_items = 4, max_items = 4)]
        adjacent: Vec<Card>,
        /// The four interlaced cards.
        #[schema(min_items = 4, max_items = 4)]
        interlaced: Vec<Card>,
    },
    /// A round began: every seat drew five cords.
    CordsDrawn {
        /// The round.
        #[schema(minimum = 1, maximum = 4)]
        round: u8,
        /// One hand per seat, in seat order.
        hands: Vec<Vec<Colour>>,
    },
    /// A seat picked a cord. The others see its colour when all have picked.
    CordPicked {
        /// The seat that picked.
        seat: Seat,
        /// The colour of the cord, if the viewer may see it.
        #[serde(skip_serializing_if = "Option::is_none")]
        colour: Option<Colour>,
    },
    /// All picks were revealed.
    PicksRevealed {
        /// One colour per seat, in seat order.
        picks: Vec<Colour>,
    },
    /// Every hand was passed to the next seat.
    HandsPassed {
        /// The new hand of each seat, in seat order.
        hands: Vec<Vec<Colour>>,
    },
    /// The last cord of every hand left the game; weaving begins.
    LastCordsDiscarded {
        /// One colour per seat, in seat order.
        cords: Vec<Colour>,
    },
    /// A seat wove a cord.
    CordWoven {
        /// The seat that wove it.
        seat: Seat,
        /// The colour of the cord.
        colour: Colour,
        /// The direction in which it runs.
        axis: Axis,
        /// Its slot.
        slot: Slot,
        /// The slots of the other axis whose cords it passes over.
        #[schema(value_type = Vec<Slot>, max_items = 8)]
        over: Slots,
        /// The slots of the other axis whose cords it passes under.
        #[schema(value_type = Vec<Slot>, max_items = 8)]
        under: Slots,
    },
    /// Every seat has woven its cords; buttons are placed next.
    WeavingFinished {},
    /// A seat placed a button.
    ButtonPlaced {
        /// The seat that placed it.
        seat: Seat,
        /// The shape of the button.
        button: Button,
        /// The card.
        card: Card,
    },
    /// The fourth round ended, and with it the match.
    GameEnded {},
}

impl ShowEvent for Trama {
    fn event_view(event: &Event, viewer: Viewer) -> EventView {
        match event {
            Event::TableSet { objective, adjacent, interlaced } => EventView::TableSet {
                objective: *objective,
                adjacent: adjacent.clone(),
                interlaced: interlaced.clone(),
            },
            Event::CordsDrawn { round, hands } => {
                EventView::CordsDrawn { round: *round, hands: lists(hands) }
            }
            Event::CordPicked { seat, colour } => {
                EventView::CordPicked { seat: *seat, colour: viewer.sees(*seat).then_some(*colour) }
            }
            Event::PicksRevealed { picks } => EventView::PicksRevealed { picks: picks.clone() },
            Event::HandsPassed { hands } => EventView::HandsPassed { hands: lists(hands) },
            Event::LastCordsDiscarded { cords } => EventView::LastCordsDiscarded {
                cords: cords.iter().flat_map(|cords| cords.iter()).collect(),
            },
            Event::CordWoven { seat, colour, axis, slot, over, under } => EventView::CordWoven {
                seat: *seat,
                colour: *colour,
                axis: *axis,
                slot: *slot,
                over: *over,
                under: *under,
            },
            Event::WeavingFinished {} => EventView::WeavingFinished {},
            Event::ButtonPlaced { seat, card } => {
                EventView::ButtonPlaced { seat: *seat, button: card.kind().button(), card: *card }
            }
            Event::GameEnded {} => EventView::GameEnded {},
        }
    }
}

fn lists(hands: &[Cords]) -> Vec<Vec<Colour>> {
    hands.iter().map(|hand| Vec::from(*hand)).collect()
}
