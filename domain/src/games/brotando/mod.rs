//! Dos Semanas Brotando: bid for cards, grow a sprout towards the suns, and keep it in balance. See RULES.md.

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

mod cards;
mod components;
mod decide;
mod event_view;
mod events;
mod evolve;
mod figures;
mod luck;
mod moves;
mod redeal;
mod refusal;
mod score;
mod sprout;
mod squares;
mod state;
mod tell;
#[cfg(test)]
mod tests;
mod view;
mod words;

// What a view is made of, for those who draw it.
pub use cards::{Back, Wind};
pub use components::{Between, DAYS, LineColour, LineInfo, Sun, danger_lines};
pub use events::Bid;
pub use sprout::{Balance, Direction, START, Segment};
pub use squares::{COLUMNS, ROWS};
pub use view::{CardView, CentreView, DeckView, PhaseView, PlotView, View};

use events::Event;
use moves::Move;
use refusal::Refusal;
use state::{Phase, State};

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

    /// Seats drop and grow independently of one another; everything else changes what others decide upon.
    fn epoch(state: &State) -> u64 {
        state.epoch.into()
    }

    fn legal_moves(state: &State, seat: Seat) -> Box<dyn Iterator<Item = Move> + '_> {
        Box::new(decide::legal_moves(state, seat).into_iter())
    }

    fn label(state: &State, seat: Seat, mv: &Move, lang: Lang) -> String {
        words::label(state, seat, mv, lang)
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
        state.phase == Phase::Over
    }

    fn standings(state: &State) -> Standings {
        score::standings(state)
    }

    fn luck(state: &State, past: &[Event], event: &Event, ledger: &mut Ledger) {
        luck::luck(state, past, event, ledger);
    }

    fn redeal(start: &State, log: &[Event], viewer: Viewer, chance: &mut dyn Chance) -> Vec<Event> {
        redeal::redeal(start, log, viewer, chance)
    }
}
