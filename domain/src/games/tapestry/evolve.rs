//! What each event changes in the state.

use super::{
    Tapestry,
    events::Event,
    state::{Phase, State},
    weave::Cell,
};
use crate::{game::Evolve, time::Timestamp};

impl Evolve for Tapestry {
    fn evolve(state: &mut State, event: &Event, at: Timestamp) {
        state.at = at;
        match event {
            Event::CardsDealt { start, area, deck } => {
                state.started_at = at; // R8.1
                for (cell, card) in Cell::start().into_iter().zip(start) {
                    state.tapestry.lay(cell, *card); // R3.1
                }
                state.area = area.map(Some); // R3.2
                state.deck = deck.iter().rev().copied().collect();
                state.phase = Phase::Drawing;
            }
            Event::CardDrawn { slot, card } => {
                if let Some(place) = state.area.get_mut(usize::from(*slot)) {
                    *place = None;
                }
                state.draws += 1;
                state.phase = Phase::Holding { card: *card, slot: *slot, chain: 0 };
            }
            Event::CardPlaced { row, column, card } => {
                state.tapestry.lay(Cell { row: *row, column: *column }, *card);
                state.phase = Phase::Drawing;
            }
            Event::CardExchanged { row, column, card, lifted } => {
                state.tapestry.lay(Cell { row: *row, column: *column }, *card);
                state.exchanges += 1;
                if let Phase::Holding { card: held, chain, .. } = &mut state.phase {
                    *held = *lifted; // R6.3
                    *chain += 1;
                    state.longest_chain = state.longest_chain.max(*chain);
                }
            }
            Event::CardDiscarded { card } => {
                state.discards.push(*card);
                state.phase = Phase::Drawing;
            }
            Event::SlotRefilled { slot, .. } => {
                let top = state.deck.pop(); // R4.4
                if let Some(place) = state.area.get_mut(usize::from(*slot)) {
                    *place = top;
                }
            }
            Event::GameEnded { reason, .. } => state.phase = Phase::Over { reason: *reason },
        }
    }
}
