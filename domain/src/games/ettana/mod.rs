//! Ettana: weavers walk between the skeins, swap them, and claim the designs they hold. See RULES.md.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    game::{Game, GameInfo},
    text::Text,
};

mod board;
mod components;
mod decide;
mod designs;
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
pub use board::{GRID, OCTAGONS, Octagons, Pair, SIDE};
pub use components::{ActionCard, Colour, Face, POINTS_TO_WIN};
pub use designs::DesignId;
pub use events::{Roll, RollMethod};
pub use moves::{Move, Play};
pub use state::{State, TurnPart};
pub use view::{DesignView, PhaseView, TileView, View, WeaverView};

/// The rule set.
#[derive(Debug)]
pub(crate) struct Ettana;

/// Ettana has no options.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ettana::Options)]
pub(crate) struct Options {}

impl Game for Ettana {
    const INFO: GameInfo = GameInfo {
        key: "ettana",
        name: Text::new("Ettana: the looms of Kanchi", "Ettana: los telares de Kanchi"),
        summary: Text::new(
            "Walk between the skeins of a loom, swap them into secret designs and be the first to reach 8 points.",
            "Camina entre los ovillos de un telar, intercámbialos hasta formar diseños secretos y llega a 8 puntos antes que nadie.",
        ),
        min_seats: 2,
        max_seats: 4,
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
