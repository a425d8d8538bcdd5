//! Ettana: weavers walk between the skeins, swap them, and claim the designs they hold. See RULES.md.

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

mod board;
mod components;
mod decide;
mod designs;
mod event_view;
mod events;
mod evolve;
mod label;
mod luck;
mod moves;
mod random;
mod redeal;
mod refusal;
mod score;
mod state;
mod tell;
#[cfg(test)]
mod tests;
mod view;

// What a view is made of, for those who draw it.
pub use board::{GRID, OCTAGONS, SIDE};
pub use components::{ActionCard, Colour, Face, POINTS_TO_WIN};
pub use designs::DesignId;
pub use events::{How, Roll};
pub use view::{DesignView, PhaseView, TileView, View, WeaverView};

use events::Event;
use moves::Move;
use refusal::Refusal;
use state::{Phase, State};

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
            "Camina entre los ovillos de un telar, intercámbialos hasta formar diseños secretos y llega el primero a 8 puntos.",
        ),
        min_seats: 2,
        max_seats: 4,
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
    type EventView = event_view::EventView;
    type Refusal = Refusal;

    fn new(seats: u8, _options: &Options) -> State {
        State::new(seats)
    }

    fn setup(state: &State, cx: &mut Context<'_>) -> Vec<Event> {
        decide::setup(state, cx)
    }

    fn decide(
        state: &State,
        seat: Seat,
        mv: &Move,
        cx: &mut Context<'_>,
    ) -> Result<Vec<Event>, Refusal> {
        decide::decide(state, seat, mv, cx)
    }

    fn evolve(state: &mut State, event: &Event, _at: Timestamp) {
        evolve::evolve(state, event);
    }

    fn to_act(state: &State) -> SeatSet {
        state.to_act()
    }

    fn epoch(state: &State) -> u64 {
        state.epoch()
    }

    fn legal_moves(state: &State, seat: Seat) -> Box<dyn Iterator<Item = Move> + '_> {
        decide::legal_moves(state, seat)
    }

    fn random_move(state: &State, seat: Seat, chance: &mut dyn Chance) -> Option<Move> {
        random::random_move(state, seat, chance)
    }

    fn label(state: &State, seat: Seat, mv: &Move, lang: Lang) -> String {
        label::label(state, seat, mv, lang)
    }

    fn view(state: &State, viewer: Viewer) -> view::View {
        view::view(state, viewer)
    }

    fn event_view(event: &Event, viewer: Viewer) -> event_view::EventView {
        event_view::event_view(event, viewer)
    }

    fn nature(event: &Event) -> Nature {
        event.nature()
    }

    fn tell(event: &event_view::EventView, lang: Lang) -> String {
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

    fn redeal(start: &State, log: &[Event], viewer: Viewer, chance: &mut dyn Chance) -> Vec<Event> {
        redeal::redeal(start, log, viewer, chance)
    }
}
