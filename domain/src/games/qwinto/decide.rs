//! What a move leads to.

use super::{
    Qwinto,
    components::{BOXES, Colour, Dice},
    events::{Die, Event},
    moves::Move,
    refusal::Refusal,
    state::{Answer, Phase, State},
};
use crate::{
    chance::Chance,
    game::{Context, Staged},
    seat::Seat,
};

pub(crate) fn setup(state: &State, cx: &mut Context<'_>) -> Vec<Event> {
    vec![Event::FirstSeatDrawn { seat: cx.chance.seat(state.seats()) }] // R2.1
}

pub(crate) fn decide(
    state: &State,
    seat: Seat,
    mv: Move,
    cx: &mut Context<'_>,
) -> Result<Vec<Event>, Refusal> {
    match (&state.phase, mv) {
        (Phase::Rolling | Phase::Rolled { .. }, _) if seat != state.active => {
            Err(Refusal::NotYourTurn) // R2.1
        }
        (Phase::Rolling, Move::Roll { dice }) if dice.is_empty() => Err(Refusal::NoDice), // R2.2
        (Phase::Rolling, Move::Roll { dice }) => {
            Ok(vec![Event::DiceRolled { dice: roll(dice, cx.chance) }])
        }
        (Phase::Rolling | Phase::Setup, _) => Err(Refusal::RollFirst),

        (Phase::Rolled { .. }, Move::Keep {}) => {
            Ok(vec![Event::SumAnnounced { sum: state.sum().unwrap_or_default() }])
        }
        (Phase::Rolled { .. }, Move::Reroll {}) => {
            let dice = roll(state.colours(), cx.chance); // R2.3
            let sum = dice.iter().map(|die| die.face).sum(); // R2.4
            Ok(vec![Event::DiceRerolled { dice }, Event::SumAnnounced { sum }])
        }
        (Phase::Rolled { .. }, _) => Err(Refusal::KeepOrReroll),

        (Phase::Writing { .. }, Move::Write { row, cell }) => {
            let answer = Answer::Write { row, cell };
            check(state, seat, answer)?;
            Ok(answer_given(state, seat, answer, cx))
        }
        (Phase::Writing { .. }, Move::Pass {}) => {
            check(state, seat, Answer::Pass {})?;
            Ok(answer_given(state, seat, Answer::Pass {}, cx))
        }
        (Phase::Writing { .. } | Phase::Over { .. }, _) => Err(Refusal::WriteOrPass),
    }
}

fn roll(dice: Dice, chance: &mut dyn Chance) -> Vec<Die> {
    dice.colours().map(|colour| Die { colour, face: chance.die() }).collect()
}

/// Whether a seat may give this answer to the announced sum (R3).
fn check(state: &State, seat: Seat, answer: Answer) -> Result<(), Refusal> {
    if state.answer(seat).is_some() {
        return Err(Refusal::AlreadyAnswered); // R3.1
    }
    match answer {
        Answer::Pass {} => Ok(()),
        Answer::Write { row, .. } if !state.colours().contains(row) => {
            Err(Refusal::RowNotRolled) // R3.2
        }
        Answer::Write { row, cell } => {
            let sum = state.sum().unwrap_or_default();
            state.sheets[seat.index()].check(row, cell.into(), sum)
        }
    }
}

fn answer_given(state: &State, seat: Seat, answer: Answer, cx: &Context<'_>) -> Vec<Event> {
    let mut staged = Staged::<Qwinto>::new(state, cx.at);
    staged.emit(Event::AnswerGiven { seat, answer });
    let answers: Option<Vec<Answer>> =
        Seat::all(state.seats()).map(|seat| staged.state().answer(seat)).collect();
    if let Some(answers) = answers {
        staged.emit(Event::AnswersRevealed { answers }); // R3.5
        match staged.state().end_reason() {
            Some(reason) => staged.emit(Event::GameEnded { reason }),
            None => staged.emit(Event::TurnPassed { seat: state.active.next(state.seats()) }),
        }
    }
    staged.into_events()
}

pub(crate) fn legal_moves(state: &State, seat: Seat) -> Vec<Move> {
    match &state.phase {
        Phase::Rolling if seat == state.active => {
            Dice::choices().map(|dice| Move::Roll { dice }).collect()
        }
        Phase::Rolled { .. } if seat == state.active => vec![Move::Keep {}, Move::Reroll {}],
        Phase::Writing { .. } => answers(state, seat).map(Move::from).collect(),
        Phase::Setup | Phase::Rolling | Phase::Rolled { .. } | Phase::Over { .. } => Vec::new(),
    }
}

/// Every answer that a seat may still give.
pub(crate) fn answers(state: &State, seat: Seat) -> impl Iterator<Item = Answer> {
    let writes = Colour::ALL
        .into_iter()
        .flat_map(|row| (0..BOXES).map(move |cell| (row, cell)))
        .filter_map(|(row, cell)| Some(Answer::Write { row, cell: u8::try_from(cell).ok()? }));
    writes.chain([Answer::Pass {}]).filter(move |answer| check(state, seat, *answer).is_ok())
}
