//! Universal Tapestry: a solitaire that weaves 64 celestial bodies into a square. See RULES.md.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    game::{Game, GameInfo},
    text::Text,
};

mod components;
mod decide;
mod event_view;
mod events;
mod evolve;
mod legal_moves;
mod luck;
mod moves;
mod redeal;
mod refusal;
mod retrace;
mod score;
mod state;
#[cfg(test)]
mod tests;
mod view;
mod weave;
mod words;

// Parts of a view, for pictures; states and moves, for bots.
pub use components::{Body, Card, Colour, SIDE, SLOTS};
pub use events::EndReason;
pub use moves::Move;
pub use score::Rank;
pub use state::State;
pub use view::{Back, DeckView, DiscardsView, LaidCard, PhaseView, TapestryView, View};
pub use weave::{Cell, Span, Weave};

/// The rule set.
#[derive(Debug)]
pub(crate) struct Tapestry;

/// The options of Universal Tapestry.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(as = tapestry::Options)]
pub(crate) struct Options {
    /// The mode of the match; `time` by default.
    mode: Mode,
}

/// The mode of a match: `time`, complete the tapestry as fast as possible; `discards`, complete it and discard the cards
/// worth the most points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = tapestry::Mode)]
pub enum Mode {
    /// Complete the tapestry as fast as possible.
    #[default]
    Time,
    /// Complete the tapestry and discard the cards worth the most points.
    Discards,
}

impl Mode {
    const fn id(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Discards => "discards",
        }
    }
}

impl Game for Tapestry {
    const INFO: GameInfo = GameInfo {
        key: "tapestry",
        name: Text::new("Universal Tapestry", "Universal Tapestry"),
        summary: Text::new(
            "A solitaire: weave 64 cards into a square where colours follow the rainbow and equal bodies never touch.",
            "Un solitario: teje un cuadrado de 64 cartas en el que los colores siguen el arcoíris y nunca se tocan dos cuerpos iguales.",
        ),
        min_seats: 1,
        max_seats: 1,
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
