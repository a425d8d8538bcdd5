//! Events as they are stored, hidden information included.

use serde::{Deserialize, Serialize};

use super::{
    cards::{Card, Objective},
    components::{Axis, Colour},
    cords::Cords,
    slots::{Slot, Slots},
};
use crate::{
    game::{Nature, StoredEvent},
    seat::Seat,
};

/// An event of Trama. Lists of hands, picks and cords have one entry per seat, in seat order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    TableSet { objective: Objective, adjacent: Vec<Card>, interlaced: Vec<Card> },
    CordsDrawn { round: u8, hands: Vec<Cords> },
    CordPicked { seat: Seat, colour: Colour },
    PicksRevealed { picks: Vec<Colour> },
    HandsPassed { hands: Vec<Cords> },
    LastCordsDiscarded { cords: Vec<Cords> },
    CordWoven { seat: Seat, colour: Colour, axis: Axis, slot: Slot, over: Slots, under: Slots },
    WeavingFinished {},
    ButtonPlaced { seat: Seat, card: Card },
    GameEnded {},
}

impl StoredEvent for Event {
    fn nature(&self) -> Nature {
        match self {
            Self::TableSet { .. } | Self::CordsDrawn { .. } => Nature::Luck,
            Self::PicksRevealed { .. } => Nature::Reveal,
            Self::CordPicked { .. }
            | Self::HandsPassed { .. }
            | Self::LastCordsDiscarded { .. }
            | Self::CordWoven { .. }
            | Self::WeavingFinished {}
            | Self::ButtonPlaced { .. }
            | Self::GameEnded {} => Nature::Choice,
        }
    }
}
