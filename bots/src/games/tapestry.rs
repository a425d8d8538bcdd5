//! What is known about Universal Tapestry: no gap may become impossible to fill.

use domain::{
    chance::Chance,
    erased::{AnyState, GameMove},
    games::tapestry::{Body, Card, Cell, Colour, Move, SIDE, State},
    seat::Seat,
};

use crate::{
    evaluation::{logistic, number},
    knowledge::Knowledge,
};

pub(crate) struct Tapestry;

const COLOURS: [Colour; 6] =
    [Colour::Red, Colour::Orange, Colour::Yellow, Colour::Green, Colour::Blue, Colour::Purple];
const BODIES: [Body; 3] = [Body::Asteroid, Body::Comet, Body::Nebula];

impl Knowledge for Tapestry {
    fn expected(&self, state: &dyn AnyState) -> Vec<f64> {
        let Some(state) = state.as_any().downcast_ref::<State>() else { return Vec::new() };
        vec![chance_to_complete(state)]
    }

    fn policy(&self, any: &dyn AnyState, seat: Seat, chance: &mut dyn Chance) -> Option<GameMove> {
        let state = any.as_any().downcast_ref::<State>()?;
        let Some(_) = state.hand() else { return any.random_move(seat, chance) };
        let asked = |mv: &GameMove| mv.as_any().downcast_ref::<Move>().copied();
        let tightness = |mv: &GameMove| match asked(mv) {
            Some(Move::Place { row, column }) => {
                2 + state.tapestry().neighbours(Cell { row, column }).count()
            }
            Some(Move::Discard {}) => 1,
            _ => 0,
        };
        let moves: Vec<GameMove> = any.moves(seat).collect();
        let best = moves.iter().map(tightness).max()?;
        let mut moves: Vec<GameMove> =
            moves.into_iter().filter(|mv| tightness(mv) == best).collect();
        Some(moves.swap_remove(chance.index(moves.len())))
    }
}

/// The chance to complete the tapestry, by how hard its gaps are to fill.
fn chance_to_complete(state: &State) -> f64 {
    let tapestry = state.tapestry();
    if tapestry.is_complete() {
        return 1.0;
    }
    let mut left = [[0.0_f64; BODIES.len()]; COLOURS.len()];
    for Card { colour, body } in state.to_come().chain(state.hand()) {
        left[colour as usize][body as usize] += 1.0;
    }
    let span = tapestry.span();
    let mut trouble = 0.0;
    for cell in Cell::all().filter(|cell| tapestry.at(*cell).is_none()) {
        let rows = span.bottom.max(cell.row) - span.top.min(cell.row) < SIDE;
        let columns = span.right.max(cell.column) - span.left.min(cell.column) < SIDE;
        let neighbours: Vec<Card> = tapestry.neighbours(cell).map(|(_, card)| card).collect();
        if !rows || !columns || neighbours.is_empty() {
            continue;
        }
        let inside = (span.top..=span.bottom).contains(&cell.row)
            && (span.left..=span.right).contains(&cell.column);
        let fits = |colour: Colour, body: Body| {
            neighbours.iter().all(|card| card.colour.goes_with(colour) && card.body != body)
        };
        let mut fitting = 0.0;
        for colour in COLOURS {
            for body in BODIES {
                if fits(colour, body) {
                    fitting += left[colour as usize][body as usize];
                }
            }
        }
        let weight = if inside { 1.0 } else { 0.3 };
        trouble += weight / (1.0 + fitting) * if neighbours.len() > 1 { 1.5 } else { 1.0 };
    }
    let spare = 8.0 - number(state.discards());
    let open = 64.0 - f64::from(tapestry.filled());
    let lost = if spare < 0.0 { 3.0 - spare } else { 0.0 };
    logistic(1.5 + spare * 0.35 - trouble * 1.2 - open * 0.03 - lost)
}
