//! What each event changes in the state.

use super::{
    Trama,
    cords::Cords,
    events::Event,
    state::{Phase, State},
};
use crate::{game::Evolve, time::Timestamp};

impl Evolve for Trama {
    fn evolve(state: &mut State, event: &Event, _at: Timestamp) {
        match event {
            Event::TableSet { objective, adjacent, interlaced } => {
                state.objective = Some(*objective);
                state.cards = [adjacent.as_slice(), interlaced].concat();
            }
            Event::CordsDrawn { round, hands } => {
                state.round = *round;
                state.phase = Phase::Draft;
                for (area, hand) in state.areas.iter_mut().zip(hands) {
                    area.hand = *hand;
                    state.bag = state.bag.without(*hand);
                }
            }
            Event::CordPicked { seat, colour } => {
                state.areas[seat.index()].pick = Some(*colour);
            }
            Event::PicksRevealed { picks } => {
                for (area, colour) in state.areas.iter_mut().zip(picks) {
                    area.pick = None;
                    area.hand.remove(*colour);
                    area.cords.add(*colour);
                }
            }
            Event::HandsPassed { hands } => {
                for (area, hand) in state.areas.iter_mut().zip(hands) {
                    area.hand = *hand;
                }
            }
            Event::LastCordsDiscarded { .. } => {
                state.phase = Phase::Weaving;
                for area in &mut state.areas {
                    area.hand = Cords::default();
                }
            }
            Event::CordWoven { seat, colour, axis, slot, over, under } => {
                let area = &mut state.areas[seat.index()];
                area.cords.remove(*colour);
                area.loom.weave(*colour, *axis, *slot, *over);
                area.passed_over += over.len();
                area.passed_under += under.len();
            }
            Event::WeavingFinished {} => state.phase = Phase::Pattern,
            Event::ButtonPlaced { seat, card } => {
                let index = state.button_index();
                state.areas[seat.index()].buttons[index] = Some(*card);
            }
            Event::GameEnded {} => state.phase = Phase::Over,
        }
    }
}
