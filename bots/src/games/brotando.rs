//! What is known about Dos Semanas Brotando: orange suns pay every day, and bids should not exceed what a card is worth.

use domain::{
    chance::Chance,
    erased::{AnyState, GameMove},
    games::brotando::{DAYS, Move, State},
    seat::Seat,
};

use crate::{evaluation::points, knowledge::Knowledge};

pub(crate) struct Brotando;

/// How many random ways to grow the policy compares.
const COMPARED: usize = 4;

impl Knowledge for Brotando {
    fn expected(&self, state: &dyn AnyState) -> Vec<f64> {
        let Some(typed) = state.as_any().downcast_ref::<State>() else { return Vec::new() };
        let seats = u8::try_from(state.standings().seats.len()).unwrap_or(0);
        Seat::all(seats).map(|seat| expected(typed, seat)).collect()
    }

    fn spread(&self) -> f64 {
        12.0
    }

    fn policy(&self, any: &dyn AnyState, seat: Seat, chance: &mut dyn Chance) -> Option<GameMove> {
        let state = any.as_any().downcast_ref::<State>()?;
        if state.is_bidding() {
            // The lowest bids come right after leaving.
            let mut moves: Vec<GameMove> = any.moves(seat).take(3).collect();
            let index = if chance.below(5) < 2 { 0 } else { chance.index(moves.len().max(1)) };
            return (index < moves.len()).then(|| moves.swap_remove(index));
        }
        if !state.is_growing(seat) {
            return any.random_move(seat, chance);
        }
        let mut moves: Vec<GameMove> = any.moves(seat).collect();
        let value = |mv: &GameMove| match mv.as_any().downcast_ref::<Move>() {
            Some(Move::Grow { segments }) => state.growth_value(seat, segments),
            _ => 0,
        };
        let some: Vec<GameMove> = (0..COMPARED.min(moves.len()))
            .map(|_| moves.swap_remove(chance.index(moves.len())))
            .collect();
        some.into_iter().max_by_key(value)
    }
}

fn expected(state: &State, seat: Seat) -> f64 {
    let days = f64::from(DAYS.saturating_sub(state.day()));
    let today = if state.is_growing(seat) { 0.0 } else { f64::from(state.reward(seat)) };
    // Without segments, a seat cannot grow.
    let poor = (6.0 - f64::from(state.reserve(seat))).max(0.0) * 0.7 * (days / 14.0);
    let tests = (days / 14.0 * 3.0).min(1.5);
    points(state.points(seat)) + today + f64::from(state.daily_income(seat)) * days * 0.95
        - f64::from(state.imbalance(seat)).min(12.0) * 0.5 * tests
        - poor
}
