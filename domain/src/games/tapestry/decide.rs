//! Setup, and the events that a move leads to.

use super::{
    Tapestry,
    components::{Card, SLOTS, START},
    events::Event,
    moves::Move,
    refusal::Refusal,
    score,
    state::{Phase, State},
    weave::Cell,
};
use crate::{
    game::{Context, Decide, Staged},
    seat::Seat,
    time::Timestamp,
};

impl Decide for Tapestry {
    fn setup(_state: &State, cx: &mut Context<'_>) -> Vec<Event> {
        let mut cards: Vec<Card> = Card::all().collect();
        cx.chance.shuffle(&mut cards);
        vec![dealt(&cards)]
    }

    fn decide(
        state: &State,
        _seat: Seat,
        mv: &Move,
        cx: &mut Context<'_>,
    ) -> Result<Vec<Event>, Refusal> {
        match (state.phase, *mv) {
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
                Ok(hand_emptied(state, slot, Event::CardPlaced { row, column, card }, cx.at))
            }
            (Phase::Holding { card, .. }, Move::Exchange { row, column }) => {
                let lifted = state.tapestry.check_exchange(cell(row, column)?, card)?; // R6
                Ok(vec![Event::CardExchanged { row, column, card, lifted }])
            }
            (Phase::Holding { card, slot, .. }, Move::Discard {}) => {
                Ok(hand_emptied(state, slot, Event::CardDiscarded { card }, cx.at)) // R4.3
            }
        }
    }
}

/// The deal of all cards in this order: start cards, draw area, deck from its top (R3).
pub(crate) fn dealt(cards: &[Card]) -> Event {
    const ALL: &str = "all 72 cards are dealt";
    let (start, rest) = cards.split_first_chunk::<START>().expect(ALL);
    let (area, deck) = rest.split_first_chunk::<SLOTS>().expect(ALL);
    Event::CardsDealt { start: *start, area: *area, deck: deck.to_vec() }
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
