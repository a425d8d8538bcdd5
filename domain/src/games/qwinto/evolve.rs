//! What each event changes in the state.

use super::{
    Qwinto,
    events::Event,
    state::{Answer, Phase, State},
};
use crate::{game::Evolve, time::Timestamp};

impl Evolve for Qwinto {
    fn evolve(state: &mut State, event: &Event, _at: Timestamp) {
        match event {
            Event::FirstSeatDrawn { seat } | Event::TurnPassed { seat } => {
                state.active = *seat;
                state.turn += 1;
                state.phase = Phase::Rolling;
            }
            Event::DiceRolled { dice } => {
                state.sheets[state.active.index()].rolls += 1;
                state.phase = Phase::Rolled { dice: dice.clone() };
            }
            Event::DiceRerolled { dice } => {
                state.sheets[state.active.index()].rerolls += 1;
                state.phase = Phase::Rolled { dice: dice.clone() };
            }
            Event::SumAnnounced { sum } => {
                state.phase = Phase::Writing {
                    dice: state.dice().to_vec(),
                    sum: *sum,
                    answers: vec![None; state.sheets.len()],
                };
            }
            Event::AnswerGiven { seat, answer } => {
                if let Phase::Writing { answers, .. } = &mut state.phase {
                    answers[seat.index()] = Some(*answer);
                }
            }
            Event::AnswersRevealed { answers } => {
                let sum = state.sum();
                for (index, answer) in answers.iter().enumerate() {
                    let sheet = &mut state.sheets[index];
                    match answer {
                        Answer::Write { row, cell } => {
                            sheet.rows[row.index()][usize::from(*cell)] = sum;
                        }
                        Answer::Pass {} if index == state.active.index() => sheet.failures += 1, // R3.6
                        Answer::Pass {} => sheet.passes += 1,
                    }
                }
            }
            Event::GameEnded { reason } => state.phase = Phase::Over { reason: *reason },
        }
    }
}
