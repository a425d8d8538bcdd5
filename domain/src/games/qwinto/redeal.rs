//! Other histories that a viewer cannot tell from the real one.

use super::{Qwinto, events::Event, legal_moves, state::State};
use crate::{
    chance::Chance,
    game::{Evolve, Redeal},
    seat::Viewer,
    time::Timestamp,
};

impl Redeal for Qwinto {
    /// Only the answers to the current sum are hidden (R3.5), and they do not depend on one another.
    fn redeal(
        start: &State,
        log: &[Event],
        viewer: Viewer,
        chance: &mut dyn Chance,
    ) -> Option<Vec<Event>> {
        let mut state = start.clone();
        let mut dealt = Vec::with_capacity(log.len());
        let open = log.iter().rposition(|event| matches!(event, Event::SumAnnounced { .. }));
        let shown = log.iter().rposition(|event| matches!(event, Event::AnswersRevealed { .. }));
        for (index, event) in log.iter().enumerate() {
            let hidden = open > shown && Some(index) > open;
            let event = match event {
                Event::AnswerGiven { seat, .. } if hidden && !viewer.sees(*seat) => {
                    let answers: Vec<_> = legal_moves::answers(&state, *seat).collect();
                    Event::AnswerGiven { seat: *seat, answer: chance.pick(&answers) }
                }
                other => other.clone(),
            };
            Self::evolve(&mut state, &event, Timestamp::default());
            dealt.push(event);
        }
        Some(dealt)
    }
}
