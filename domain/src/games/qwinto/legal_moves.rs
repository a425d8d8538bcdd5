//! Every legal move.

use super::{
    Qwinto,
    components::{BOXES, Colour, Dice},
    decide::check,
    moves::Move,
    state::{Answer, Phase, State},
};
use crate::{game::LegalMoves, seat::Seat};

impl LegalMoves for Qwinto {
    fn legal_moves(state: &State, seat: Seat) -> Box<dyn Iterator<Item = Move> + '_> {
        match &state.phase {
            Phase::Rolling if seat == state.active => {
                Box::new(Dice::choices().map(|dice| Move::Roll { dice }))
            }
            Phase::Rolled { .. } if seat == state.active => {
                Box::new([Move::Keep {}, Move::Reroll {}].into_iter())
            }
            Phase::Writing { .. } => Box::new(answers(state, seat).map(Move::from)),
            Phase::Setup | Phase::Rolling | Phase::Rolled { .. } | Phase::Over { .. } => {
                Box::new(std::iter::empty())
            }
        }
    }
}

/// Every answer that a seat may still give.
pub(crate) fn answers(state: &State, seat: Seat) -> impl Iterator<Item = Answer> {
    let writes = Colour::ALL
        .into_iter()
        .flat_map(|row| (0..).take(BOXES).map(move |cell| Answer::Write { row, cell }));
    writes.chain([Answer::Pass {}]).filter(move |answer| check(state, seat, *answer).is_ok())
}
