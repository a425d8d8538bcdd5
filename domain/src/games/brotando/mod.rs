//! Dos Semanas Brotando: bid for cards, grow a sprout towards the suns, and keep it in balance. See RULES.md.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    game::{Game, GameInfo},
    text::Text,
};

mod cards;
mod components;
mod decide;
mod event_view;
mod events;
mod evolve;
mod figures;
mod legal_moves;
mod luck;
mod moves;
mod redeal;
mod refusal;
mod retrace;
mod score;
mod sprout;
mod squares;
mod state;
#[cfg(test)]
mod tests;
mod view;
mod words;

// Parts of a view, for pictures; states and moves, for bots.
pub use cards::{Back, PeekedCard, Wind};
pub use components::{Between, DAYS, LineColour, LineInfo, Sun, danger_lines};
pub use events::Bid;
pub use moves::{Move, Placement, WindPlay};
pub use sprout::{Balance, Direction, START, Segment};
pub use squares::{COLUMNS, ROWS};
pub use state::State;
pub use view::{CardView, CentreView, DeckView, PhaseView, PlotView, View};

/// The rule set.
#[derive(Debug)]
pub(crate) struct Brotando;

/// Dos Semanas Brotando has no options.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = brotando::Options)]
pub(crate) struct Options {}

impl Game for Brotando {
    const INFO: GameInfo = GameInfo {
        key: "brotando",
        name: Text::new("Dos Semanas Brotando", "Dos Semanas Brotando"),
        summary: Text::new(
            "Bid for growth cards, grow a sprout towards the suns for fourteen days, and keep it in balance.",
            "Puja por cartas de crecimiento, haz crecer un brote hacia los soles durante catorce días y mantenlo en equilibrio.",
        ),
        min_seats: 2,
        max_seats: 6,
        rules_version: 2,
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
