//! Qwinto: roll, announce, and write the sum in ascending rows. See RULES.md.

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
mod decide;
mod events;
mod evolve;
mod luck;
mod moves;
mod refusal;
mod score;
mod state;
#[cfg(test)]
mod tests;
mod view;

// What a view is made of, for those who draw it.
pub use components::{BOXES, Colour, MAX_FAILURES, column_of, is_pentagon};
pub use events::{Die, EndReason};
pub use state::Answer;
pub use view::{PhaseView, SheetView, View};

use events::Event;
use moves::Move;
use refusal::Refusal;
use state::{Phase, State};

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
    type Move = Move;
    type Event = Event;
    type State = State;
    type View = view::View;
    type EventView = view::EventView;
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
        Box::new(decide::legal_moves(state, seat).into_iter())
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
        view::tell(event, lang)
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

    /// Only the answers to the sum on the table are hidden (R3.5), and each seat's are independent of the others'.
    fn redeal(start: &State, log: &[Event], viewer: Viewer, chance: &mut dyn Chance) -> Vec<Event> {
        let mut state = start.clone();
        let mut dealt = Vec::with_capacity(log.len());
        let open = log.iter().rposition(|event| matches!(event, Event::SumAnnounced { .. }));
        let shown = log.iter().rposition(|event| matches!(event, Event::AnswersRevealed { .. }));
        for (index, event) in log.iter().enumerate() {
            let hidden = open > shown && Some(index) > open;
            let event = match event {
                Event::AnswerGiven { seat, .. } if hidden && !viewer.sees(*seat) => {
                    let answers: Vec<_> = decide::answers(&state, *seat).collect();
                    Event::AnswerGiven { seat: *seat, answer: chance.pick(&answers) }
                }
                other => other.clone(),
            };
            evolve::evolve(&mut state, &event);
            dealt.push(event);
        }
        dealt
    }
}
