//! Which move led to an event.

use super::{Tapestry, components::Card, events::Event, moves::Move, state::State};
use crate::{
    game::{Retrace, Retraced, unshuffle},
    seat::Seat,
};

impl Retrace for Tapestry {
    fn setup_draws(_state: &State, events: &[Event]) -> Option<Vec<u32>> {
        match events.first()? {
            Event::CardsDealt { start, area, deck } => {
                let cards: Vec<Card> = Card::all().collect();
                unshuffle(&cards, &[start.as_slice(), area, deck].concat())
            }
            _ => None,
        }
    }

    fn retrace(_state: &State, events: &[Event]) -> Option<Retraced<Move>> {
        let mv = match events.first()? {
            Event::CardDrawn { slot, card: _ } => Move::Draw { slot: *slot },
            Event::CardPlaced { row, column, card: _ } => {
                Move::Place { row: *row, column: *column }
            }
            Event::CardExchanged { row, column, card: _, lifted: _ } => {
                Move::Exchange { row: *row, column: *column }
            }
            Event::CardDiscarded { card: _ } => Move::Discard {},
            Event::CardsDealt { .. } | Event::SlotRefilled { .. } | Event::GameEnded { .. } => {
                return None;
            }
        };
        Some(Retraced::new(Seat::FIRST, mv))
    }
}
