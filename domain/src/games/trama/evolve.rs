//! Takes facts in.

use super::{
    cords::Cords,
    events::Event,
    state::{Phase, State},
};

pub(crate) fn evolve(state: &mut State, event: &Event) {
    match event {
        Event::TableSet { objective, adjacent, interlaced } => {
            state.objective = Some(*objective);
            state.cards = [adjacent.as_slice(), interlaced].concat();
        }
        Event::CordsDrawn { round, hands } => {
            state.round = *round;
            state.phase = Phase::Draft;
            for (place, hand) in state.places.iter_mut().zip(hands) {
                place.hand = *hand;
                state.bag = state.bag.without(*hand);
            }
        }
        Event::CordPicked { seat, colour } => {
            state.places[seat.index()].pick = Some(*colour);
        }
        Event::PicksRevealed { picks } => {
            for (place, colour) in state.places.iter_mut().zip(picks) {
                place.pick = None;
                place.hand.remove(*colour);
                place.cords.add(*colour);
            }
        }
        Event::HandsPassed { hands } => {
            for (place, hand) in state.places.iter_mut().zip(hands) {
                place.hand = *hand;
            }
        }
        Event::LastCordsDiscarded { .. } => {
            state.phase = Phase::Weaving;
            for place in &mut state.places {
                place.hand = Cords::default();
            }
        }
        Event::CordWoven { seat, colour, axis, slot, over, under } => {
            let place = &mut state.places[seat.index()];
            place.cords.remove(*colour);
            place.loom.weave(*colour, *axis, *slot, *over);
            place.passed_over += over.len();
            place.passed_under += under.len();
        }
        Event::WeavingFinished {} => state.phase = Phase::Pattern,
        Event::ButtonPlaced { seat, card } => {
            let index = state.button_index();
            state.places[seat.index()].buttons[index] = Some(*card);
        }
        Event::GameEnded {} => state.phase = Phase::Over,
    }
}
