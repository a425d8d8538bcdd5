//! Worlds that a viewer cannot tell from the real one, for players who think ahead.

use super::{AnyState, GameEvent, Typed, typed};
use crate::{chance::Chance, game::RuleSet, seat::Viewer, time::Timestamp};

/// The worlds that a viewer cannot tell from the real one.
pub trait Worlds: Send + Sync {
    /// One of them. It depends on what the viewer knows and on chance alone. `None` if none was found.
    fn sample(&self, chance: &mut dyn Chance) -> Option<Box<dyn AnyState>>;
}

struct TypedWorlds<G: RuleSet> {
    start: G::State,
    log: Vec<G::Event>,
    times: Vec<Timestamp>,
    viewer: Viewer,
}

pub(super) fn of<G: RuleSet>(
    start: &G::State,
    log: &[(Timestamp, &GameEvent)],
    viewer: Viewer,
) -> Box<dyn Worlds> {
    Box::new(TypedWorlds::<G> {
        start: start.clone(),
        log: log.iter().map(|(_, event)| typed::<G>(event).clone()).collect(),
        times: log.iter().map(|(at, _)| *at).collect(),
        viewer,
    })
}

impl<G: RuleSet> Worlds for TypedWorlds<G> {
    fn sample(&self, chance: &mut dyn Chance) -> Option<Box<dyn AnyState>> {
        let mut state = self.start.clone();
        let dealt = G::redeal(&self.start, &self.log, self.viewer, chance)?;
        for (event, at) in dealt.iter().zip(&self.times) {
            G::evolve(&mut state, event, *at);
        }
        Some(Box::new(Typed::<G>(state)))
    }
}
