//! Trama: pick cords, weave them into a loom, and commit to the patterns that it will show. See RULES.md.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    game::{Game, GameInfo},
    text::Text,
};

mod cards;
mod components;
mod cords;
mod decide;
mod event_view;
mod events;
mod evolve;
mod legal_moves;
mod loom;
mod luck;
mod moves;
mod redeal;
mod refusal;
mod retrace;
mod score;
mod slots;
mod state;
#[cfg(test)]
mod tests;
mod view;
mod words;

// Parts of a view, for pictures; states, for bots.
pub use cards::{Button, Pattern, PatternKind};
pub use components::Colour;
pub use slots::{SLOTS, Slot, Slots};
pub use state::State;
pub use view::{
    BagView, ButtonView, CardView, CordView, LoomView, ObjectiveView, PhaseView, PlayerAreaView,
    ProgressView, View,
};

/// The rule set.
#[derive(Debug)]
pub(crate) struct Trama;

/// Trama has no options.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = trama::Options)]
pub(crate) struct Options {}

impl Game for Trama {
    const INFO: GameInfo = GameInfo {
        key: "trama",
        name: Text::new("Trama", "Trama"),
        summary: Text::new(
            "Pick coloured cords, weave them over and under one another, and bet on the patterns of your loom.",
            "Elige cordeles de colores, téjelos por encima y por debajo unos de otros y apuesta por los patrones de tu telar.",
        ),
        min_seats: 2,
        max_seats: 5,
        rules_version: 1,
        rules: Text::new(include_str!("RULES.md"), include_str!("RULES.es.md")),
        measures: score::MEASURES,
        score_lines: score::SCORE_LINES,
        luck: luck::FIGURES,
    };

    type Options = Options;
    type Move = moves::Move;
    type Event = events::Event;
    type State = state::State;
    type View = view::View;
    type EventView = event_view::EventView;
    type Refusal = refusal::Refusal;
}
