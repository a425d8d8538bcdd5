//! What is known about Trama: the cords should show the cards on the table. The plain weave of the listing suits every
//! interlaced pattern, so other ways of crossing are not looked at.

use domain::{
    chance::Chance,
    erased::{AnyState, GameMove},
    game::Context,
    games::trama::State,
    seat::Seat,
    time::Timestamp,
};

use crate::{evaluation::points, generator::Generator, knowledge::Knowledge};

pub(crate) struct Trama;

/// How many random moves the policy compares.
const COMPARED: usize = 3;

impl Knowledge for Trama {
    fn expected(&self, state: &dyn AnyState) -> Vec<f64> {
        let Some(typed) = state.as_any().downcast_ref::<State>() else { return Vec::new() };
        let seats = u8::try_from(state.standings().seats.len()).unwrap_or(0);
        Seat::all(seats).map(|seat| expected(typed, seat)).collect()
    }

    fn spread(&self) -> f64 {
        6.0
    }

    fn candidates(&self, state: &dyn AnyState, seat: Seat) -> Vec<GameMove> {
        state.listed_moves(seat)
    }

    fn policy(&self, any: &dyn AnyState, seat: Seat, chance: &mut dyn Chance) -> Option<GameMove> {
        let mut moves = any.listed_moves(seat);
        let mut best: Option<(f64, GameMove)> = None;
        for _ in 0..COMPARED.min(moves.len()) {
            let mv = moves.swap_remove(chance.index(moves.len()));
            let mut next = any.boxed_clone();
            let mut luck = Generator::new(1);
            let mut cx = Context { chance: &mut luck, at: Timestamp::default() };
            if next.play(seat, &mv, &mut cx).is_err() {
                continue;
            }
            let value = expected(next.as_any().downcast_ref::<State>()?, seat);
            if best.as_ref().is_none_or(|(before, _)| *before < value) {
                best = Some((value, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }
}

fn expected(state: &State, seat: Seat) -> f64 {
    let halves = match state.objective_shown(seat) {
        [true, false] | [false, true] => 2.0,
        // Five points are in the total already, or both patterns are missing.
        [true, true] | [false, false] => 0.0,
    };
    points(state.best_points(seat)) + halves
}
