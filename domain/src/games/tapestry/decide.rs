//! What a move leads to.

use super::{
    Tapestry,
    events::Event,
    moves::Move,
    refusal::Refusal,
    score,
    state::{Phase, State},
    weave::Cell,
};
use crate::{game::Staged, time::Timestamp};

pub(crate) fn decide(state: &State, mv: Move, at: Timestamp) -> Result<Vec<Event>, Refusal> {
    match (state.phase, mv) {
        (Phase::Setup | Phase::Over { .. }, _) => Err(Refusal::NotPlaying), // R7.2

        (Phase::Drawing, Move::Draw { slot }) => {
            let place = state.area.get(usize::from(slot)).ok_or(Refusal::NoSuchSlot)?; // R3.2
            let card = place.ok_or(Refusal::SlotEmpty)?; // R4.1
            Ok(vec![Event::CardDrawn { slot, card }])
        }
        (Phase::Drawing, Move::Place { .. } | Move::Exchange { .. } | Move::Discard {}) => {
            Err(Refusal::DrawFirst) // R4.1
        }

        (Phase::Holding { .. }, Move::Draw { .. }) => Err(Refusal::HandFull), // R4.2
        (Phase::Holding { card, slot, .. }, Move::Place { row, column }) => {
            state.tapestry.check_place(cell(row, column)?, card)?; // R5
            Ok(hand_emptied(state, slot, Event::CardPlaced { row, column, card }, at))
        }
        (Phase::Holding { card, .. }, Move::Exchange { row, column }) => {
            let lifted = state.tapestry.check_exchange(cell(row, column)?, card)?; // R6
            Ok(vec![Event::CardExchanged { row, column, card, lifted }])
        }
        (Phase::Holding { card, slot, .. }, Move::Discard {}) => {
            Ok(hand_emptied(state, slot, Event::CardDiscarded { card }, at)) // R4.3
        }
    }
}

fn cell(row: u8, column: u8) -> Result<Cell, Refusal> {
    Cell::new(row, column).ok_or(Refusal::OutsideField) // R2.3
}

/// The end of a turn that began with a card from `slot`.
fn hand_emptied(state: &State, slot: u8, event: Event, at: Timestamp) -> Vec<Event> {
    let mut staged = Staged::<Tapestry>::new(state, at);
    staged.emit(event);
    let now = staged.state();
    if let Some(reason) = now.end_reason() {
        let rank = score::rank(now); // R8.2
        staged.emit(Event::GameEnded { reason, rank });
    } else if let Some(colour) = now.top() {
        let next = now.deck.iter().rev().nth(1).map(|card| card.colour); // R1.2
        staged.emit(Event::SlotRefilled { slot, colour, next }); // R4.4
    }
    staged.into_events()
}

/// Every legal move: what `decide` accepts, and nothing else.
pub(crate) fn legal_moves(state: &State) -> Box<dyn Iterator<Item = Move> + '_> {
    let tapestry = &state.tapestry;
    match state.phase {
        Phase::Drawing => Box::new(
            (0..)
                .zip(&state.area)
                .filter(|(_, card)| card.is_some())
                .map(|(slot, _)| Move::Draw { slot }),
        ),
        Phase::Holding { card, .. } => {
            let places = Cell::all()
                .filter(move |cell| tapestry.check_place(*cell, card).is_ok())
                .map(|Cell { row, column }| Move::Place { row, column });
            let exchanges = Cell::all()
                .filter(move |cell| tapestry.check_exchange(*cell, card).is_ok())
                .map(|Cell { row, column }| Move::Exchange { row, column });
            Box::new(places.chain(exchanges).chain([Move::Discard {}]))
        }
        Phase::Setup | Phase::Over { .. } => Box::new(std::iter::empty()),
    }
}
