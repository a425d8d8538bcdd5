//! Decisions with consequences: later events of a decision depend on the state after earlier ones.

use super::Evolve;
use crate::time::Timestamp;

/// Collects the events of one decision while keeping the state up to date.
#[derive(Debug)]
pub struct Staged<G: Evolve> {
    state: G::State,
    events: Vec<G::Event>,
    at: Timestamp,
}

impl<G: Evolve> Staged<G> {
    /// Starts from a state.
    pub fn new(state: &G::State, at: Timestamp) -> Self {
        Self { state: state.clone(), events: Vec::new(), at }
    }

    /// The state after everything emitted so far.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// Adds a fact.
    pub fn emit(&mut self, event: G::Event) {
        G::evolve(&mut self.state, &event, self.at);
        self.events.push(event);
    }

    /// The facts in order.
    pub fn into_events(self) -> Vec<G::Event> {
        self.events
    }
}
