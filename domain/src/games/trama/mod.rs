//! Trama: pick cords, weave them into a loom, and commit to the patterns that it will show. See RULES.md.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    chance::Chance,
    game::{Context, Game, GameInfo, Listing, Nature},
    luck::Ledger,
    outcome::Standings,
    seat::{Seat, SeatSet, Viewer},
    text::{Lang, Text},
    time::Timestamp,
};

mod cards;
mod components;
mod cords;
mod decide;
mod events;
mod evolve;
mod legal;
mod loom;
mod luck;
mod moves;
mod refusal;
mod score;
mod shapes;
mod slots;
mod state;
#[cfg(test)]
mod tests;
mod told;
mod view;
mod words;

// What a view is made of, for those who draw it.
pub use cards::{Button, Kind, Pattern};
pub use components::Colour;
pub use shapes::{
    BagView, ButtonView, CardView, CordView, LoomView, ObjectiveView, PhaseView, PlaceView,
    ProgressView, View,
};
pub use slots::{SLOTS, Slot, Slots};

use events::Event;
use moves::Move;
use refusal::Refusal;
use state::{Phase, State};

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
            "Elige cordeles de colores, téjelos por encima y por debajo, y apuesta por los patrones de tu telar.",
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
    type Move = Move;
    type Event = Event;
    type State = State;
    type View = shapes::View;
    type EventView = shapes::EventView;
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
        decide::decide(state, seat, *mv, cx)
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
        legal::legal_moves(state, seat)
    }

    fn listing(state: &State, seat: Seat) -> Listing<Move> {
        legal::listing(state, seat)
    }

    fn label(state: &State, seat: Seat, mv: &Move, lang: Lang) -> String {
        moves::label(state, seat, *mv, lang)
    }

    fn view(state: &State, viewer: Viewer) -> shapes::View {
        view::view(state, viewer)
    }

    fn event_view(event: &Event, viewer: Viewer) -> shapes::EventView {
        view::event_view(event, viewer)
    }

    fn nature(event: &Event) -> Nature {
        event.nature()
    }

    fn tell(event: &shapes::EventView, lang: Lang) -> String {
        told::tell(event, lang)
    }

    fn finished(state: &State) -> bool {
        state.phase == Phase::Over
    }

    fn standings(state: &State) -> Standings {
        score::standings(state)
    }

    fn luck(state: &State, _past: &[Event], event: &Event, ledger: &mut Ledger) {
        luck::luck(state, event, ledger);
    }

    /// Only picks that have not been shown yet are hidden (R3.2), and each seat's are independent of the others'.
    fn redeal(start: &State, log: &[Event], viewer: Viewer, chance: &mut dyn Chance) -> Vec<Event> {
        let mut state = start.clone();
        let mut dealt = Vec::with_capacity(log.len());
        let shown = log.iter().rposition(|event| matches!(event, Event::PicksRevealed { .. }));
        for (index, event) in log.iter().enumerate() {
            let event = match event {
                Event::CordPicked { seat, .. } if Some(index) > shown && !viewer.sees(*seat) => {
                    let hand: Vec<_> = state.places[seat.index()].hand.into();
                    Event::CordPicked { seat: *seat, colour: chance.pick(&hand) }
                }
                other => other.clone(),
            };
            evolve::evolve(&mut state, &event);
            dealt.push(event);
        }
        dealt
    }
}
