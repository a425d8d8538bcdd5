//! What viewers may see. Nothing else decides what is shown, and there are no defaults.

use super::Game;
use crate::seat::Viewer;

/// What a viewer may see of a match.
pub trait ShowState: Game {
    /// The state as this viewer sees it.
    fn view(state: &Self::State, viewer: Viewer) -> Self::View;
}

/// What a viewer may see of what happened.
pub trait ShowEvent: Game {
    /// The event as this viewer sees it. Every viewer gets something, so that nobody sees gaps.
    fn event_view(event: &Self::Event, viewer: Viewer) -> Self::EventView;
}

/// An event as it is stored, with everything that was hidden.
pub trait StoredEvent {
    /// Whether it is a choice, luck, or shows something that was hidden.
    fn nature(&self) -> Nature;
}

/// Where an event comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// A decision, or what follows from decisions and from what everybody knew.
    Choice,
    /// Luck was drawn.
    Luck,
    /// Something that was hidden from somebody is shown.
    Reveal,
}
