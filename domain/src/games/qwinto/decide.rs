//! Setup, and the events that a move leads to.

use super::{
    Qwinto,
    components::Dice,
    events::{Die, Event},
    moves::Move,
    refusal::Refusal,
    state::{Answer, Phase, State, sum_of},
};
use crate::{
    chance::Chance,
    game::{Context, Decide, Staged},
    seat::Seat,
};

impl Decide for Qwinto {
    fn setup(state: &State, cx: &mut Context<'_>) -> Vec<Event> {
        vec![Event::FirstSeatDrawn { seat: cx.chance.seat(state.seats()) }] // R2.1
    }

    fn decide(
        state: &State,
        seat: Seat,
        mv: &Move,
        cx: &mut Context<'_>,
    ) -> Result<Vec<Event>, Refusal> {
        match (&state.phase, *mv) {
            (Phase::Rolling | Phase::Rolled { .. }, _) if seat != state.active => {
                Err(Refusal::NotYourTurn) // R2.1
            }
            (Phase::Rolling, Move::Roll { dice }) if dice.is_empty() => Err(Refusal::NoDice), // R2.2
            (Phase::Rolling, Move::Roll { dice }) => {
                Ok(vec![Event::DiceRolled { dice: roll(dice, cx.chance) }])
            }
            (Phase::Rolling | Phase::Setup, _) => Err(Refusal::RollFirst),

            (Phase::Rolled { dice }, Move::Keep {}) => {
                Ok(vec![Event::SumAnnounced { sum: sum_of(dice) }])
            }
            (Phase::Rolled { .. }, Move::Reroll {}) => {
                let dice = roll(state.colours(), cx.chance); // R2.3
                let sum = sum_of(&dice); // R2.4
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
}

fn roll(dice: Dice, chance: &mut dyn Chance) -> Vec<Die> {
    dice.colours().map(|colour| Die { colour, face: chance.die() }).collect()
}

/// Whether a seat may give this answer to the announced sum (R3).
pub(crate) fn check(state: &State, seat: Seat, answer: Answer) -> Result<(), Refusal> {
    if state.answer(seat).is_some() {
        return Err(Refusal::AlreadyAnswered); // R3.1
    }
    match answer {
        Answer::Pass {} => Ok(()),
        Answer::Write { row, .. } if !state.colours().contains(row) => {
            Err(Refusal::RowNotRolled) // R3.2
        }
        Answer::Write { row, cell } => {
            let sum = state.sum().ok_or(Refusal::RollFirst)?;
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
