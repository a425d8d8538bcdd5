//! Other histories that a viewer cannot tell from the real one.

use super::{Trama, events::Event, state::State};
use crate::{
    chance::Chance,
    game::{Evolve, Redeal},
    seat::Viewer,
    time::Timestamp,
};

impl Redeal for Trama {
    /// Only picks that are not revealed yet are hidden (R3.2), and they do not depend on one another.
    fn redeal(
        start: &State,
        log: &[Event],
        viewer: Viewer,
        chance: &mut dyn Chance,
    ) -> Option<Vec<Event>> {
        let mut state = start.clone();
        let mut dealt = Vec::with_capacity(log.len());
        let shown = log.iter().rposition(|event| matches!(event, Event::PicksRevealed { .. }));
        for (index, event) in log.iter().enumerate() {
            let event = match event {
                Event::CordPicked { seat, .. } if Some(index) > shown && !viewer.sees(*seat) => {
                    let hand: Vec<_> = state.areas[seat.index()].hand.into();
                    Event::CordPicked { seat: *seat, colour: chance.pick(&hand) }
                }
                other => other.clone(),
            };
            Self::evolve(&mut state, &event, Timestamp::default());
            dealt.push(event);
        }
        Some(dealt)
    }
}
