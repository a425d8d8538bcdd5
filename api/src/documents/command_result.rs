//! The result of a command.

use domain::{
    matches::{Event, Match, Status},
    seat::{Seat, Viewer},
    text::Lang,
    time::Timestamp,
};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::{EventDocument, SeatDeadline, schema::AnyView};

/// The result of a command.
#[derive(Debug, Serialize, ToSchema)]
pub struct CommandResult {
    /// The version of the match after the command.
    #[schema(example = 18)]
    pub version: u64,
    /// The status of the match after the command.
    pub status: Status,
    /// The seats that the match now waits for.
    pub to_act: Vec<Seat>,
    /// The deadline of each of these seats; empty without a time limit.
    pub deadlines: Vec<SeatDeadline>,
    /// The events of the command, as the caller may see them.
    pub events: Vec<EventDocument>,
    /// What the caller sees of the game; `null` before the start, and with `Prefer: return=minimal`.
    #[schema(value_type = Option<AnyView>)]
    pub view: Option<Box<RawValue>>,
}

impl CommandResult {
    /// The result of a command as a viewer may see it; `first` is the version after the first event.
    #[must_use]
    pub fn new(
        after: &Match,
        events: &[Event],
        first: u64,
        at: Timestamp,
        viewer: Viewer,
        lang: Lang,
    ) -> Self {
        Self {
            version: after.version(),
            status: after.status(),
            to_act: after.to_act().iter().collect(),
            deadlines: SeatDeadline::all(after),
            events: EventDocument::all(events, first, at, viewer, lang).collect(),
            view: None,
        }
    }

    /// The same with the view of the game.
    #[must_use]
    pub fn with_view(self, after: &Match, viewer: Viewer) -> Self {
        Self { view: after.view(viewer), ..self }
    }
}
