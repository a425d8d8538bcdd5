//! Qwinto: roll, announce, and write the sum in ascending rows. See RULES.md.

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
mod words;

// Parts of a view, for pictures; states and moves, for bots.
pub use components::{BOXES, Colour, Dice, MAX_FAILURES, column_of, is_pentagon};
pub use events::{Die, EndReason};
pub use moves::Move;
pub use state::{Answer, Sheet, State};
pub use view::{PhaseView, SheetView, View};

/// The rule set.
#[derive(Debug)]
pub(crate) struct Qwinto;

/// Qwinto has no options.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = qwinto::Options)]
pub(crate) struct Options {}

impl Game for Qwinto {
    const INFO: GameInfo = GameInfo {
        key: "qwinto",
        name: Text::new("Qwinto", "Qwinto"),
        summary: Text::new(
            "Roll up to three dice and write their sum in ascending rows; everybody uses every roll.",
            "Lanza hasta tres dados y anota su suma en filas ascendentes; todos usan cada lanzamiento.",
        ),
        min_seats: 2,
        max_seats: 6,
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
