//! Universal Tapestry: a solitaire that weaves 64 celestial bodies into a square. See RULES.md.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    chance::Chance,
    game::{Context, Game, GameInfo, Nature},
    luck::Ledger,
    outcome::Standings,
    seat::{Seat, SeatSet, Viewer},
    text::{Lang, Text},
    time::Timestamp,
};

mod components;
mod deal;
mod decide;
mod events;
mod evolve;
mod luck;
mod moves;
mod refusal;
mod score;
mod state;
mod tell;
#[cfg(test)]
mod tests;
mod view;
mod weave;

// What a view is made of, for those who draw it.
pub use components::{Body, Card, Colour, SIDE, SLOTS};
pub use events::EndReason;
pub use score::Rank;
pub use view::{Back, DeckView, DiscardsView, LaidCard, PhaseView, TapestryView, View};

use events::Event;
use moves::Move;
use refusal::Refusal;
use state::{Phase, State};

/// The rule set.
#[derive(Debug)]
pub(crate) struct Tapestry;

/// What can be chosen when a match of Universal Tapestry is created.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(as = tapestry::Options)]
pub(crate) struct Options {
    /// What the match is about; `time` if nothing is said.
    mode: Mode,
}

/// What a match is about: `time`, to complete the tapestry as fast as possible; `discards`, to complete it and to have
/// discarded the cards with the most points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = tapestry::Mode)]
pub enum Mode {
    /// Complete the tapestry as fast as you can.
    #[default]
    Time,
    /// Complete the tapestry and discard the cards with the most points.
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
            "Un solitario: teje un cuadrado de 64 cartas en el que los colores siguen el arcoíris y dos cuerpos iguales nunca se tocan.",
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
    type Move = Move;
    type Event = Event;
    type State = State;
    type View = view::View;
    type EventView = view::EventView;
    type Refusal = Refusal;

    fn new(_seats: u8, options: &Options) -> State {
        State::new(options.mode)
    }

    fn setup(_state: &State, cx: &mut Context<'_>) -> Vec<Event> {
        deal::deal(cx.chance)
    }

    fn decide(
        state: &State,
        _seat: Seat,
        mv: &Move,
        cx: &mut Context<'_>,
    ) -> Result<Vec<Event>, Refusal> {
        decide::decide(state, *mv, cx.at)
    }

    fn evolve(state: &mut State, event: &Event, at: Timestamp) {
        evolve::evolve(state, event, at);
    }

    fn to_act(state: &State) -> SeatSet {
        state.to_act()
    }

    /// There is no other seat whose moves could make anything stale.
    fn epoch(_state: &State) -> u64 {
        0
    }

    fn legal_moves(state: &State, _seat: Seat) -> Box<dyn Iterator<Item = Move> + '_> {
        decide::legal_moves(state)
    }

    fn label(state: &State, _seat: Seat, mv: &Move, lang: Lang) -> String {
        moves::label(state, *mv, lang)
    }

    fn view(state: &State, viewer: Viewer) -> view::View {
        view::view(state, viewer)
    }

    fn event_view(event: &Event, viewer: Viewer) -> view::EventView {
        view::event_view(event, viewer)
    }

    fn nature(event: &Event) -> Nature {
        event.nature()
    }

    fn tell(event: &view::EventView, lang: Lang) -> String {
        tell::tell(event, lang)
    }

    fn finished(state: &State) -> bool {
        matches!(state.phase, Phase::Over { .. })
    }

    fn standings(state: &State) -> Standings {
        score::standings(state)
    }

    fn luck(state: &State, _past: &[Event], event: &Event, ledger: &mut Ledger) {
        luck::luck(state, event, ledger);
    }

    fn redeal(
        _start: &State,
        log: &[Event],
        viewer: Viewer,
        chance: &mut dyn Chance,
    ) -> Vec<Event> {
        deal::redeal(log, viewer, chance)
    }
}
