//! Every legal move.

use super::{
    Tapestry,
    moves::Move,
    state::{Phase, State},
    weave::Cell,
};
use crate::{game::LegalMoves, seat::Seat};

impl LegalMoves for Tapestry {
    fn legal_moves(state: &State, _seat: Seat) -> Box<dyn Iterator<Item = Move> + '_> {
        let tapestry = &state.tapestry;
        match state.phase {
            Phase::Drawing => Box::new(
                (0..)
                    .zip(&state.area)
                    .filter(|(_, card)| card.is_some())
                    .map(|(slot, _)| Move::Draw { slot }),
            ),
            Phase::Holding { card, .. } => {
                let places = Cell::all()
                    .filter(move |cell| tapestry.check_place(*cell, card).is_ok())
                    .map(|Cell { row, column }| Move::Place { row, column });
                let exchanges = Cell::all()
                    .filter(move |cell| tapestry.check_exchange(*cell, card).is_ok())
                    .map(|Cell { row, column }| Move::Exchange { row, column });
                Box::new(places.chain(exchanges).chain([Move::Discard {}]))
            }
            Phase::Setup | Phase::Over { .. } => Box::new(std::iter::empty()),
        }
    }
}
