//! What is known about Qwinto: numbers belong where about as many smaller ones fit before them as there are boxes.

use domain::{
    chance::Chance,
    erased::{AnyState, GameMove},
    games::qwinto::{BOXES, Colour, Move, Sheet, State, column_of, is_pentagon},
    seat::Seat,
};

use crate::{
    evaluation::{number, points},
    knowledge::Knowledge,
};

pub(crate) struct Qwinto;

/// One more than the largest sum.
const TOP: u8 = 19;

impl Knowledge for Qwinto {
    fn expected(&self, state: &dyn AnyState) -> Vec<f64> {
        let Some(state) = state.as_any().downcast_ref::<State>() else { return Vec::new() };
        (0..)
            .zip(state.sheets())
            .filter_map(|(index, sheet)| {
                Some(points(state.points(Seat::new(index)?)) + potential(sheet))
            })
            .collect()
    }

    fn spread(&self) -> f64 {
        12.0
    }

    fn policy(&self, any: &dyn AnyState, seat: Seat, chance: &mut dyn Chance) -> Option<GameMove> {
        let state = any.as_any().downcast_ref::<State>()?;
        let mut moves: Vec<GameMove> = any.moves(seat).collect();
        let asked = |mv: &GameMove| mv.as_any().downcast_ref::<Move>().copied();
        match asked(moves.first()?)? {
            Move::Roll { .. } => {
                moves.retain(|mv| matches!(asked(mv), Some(Move::Roll { dice }) if dice.colours().count() > 1));
                let index = chance.index(moves.len());
                Some(moves.swap_remove(index))
            }
            Move::Keep {} | Move::Reroll {} => {
                let good = best_misfit(state, seat).is_some_and(|misfit| misfit < 1.6);
                let wanted = if good { Move::Keep {} } else { Move::Reroll {} };
                moves.into_iter().find(|mv| asked(mv) == Some(wanted))
            }
            Move::Write { .. } | Move::Pass {} => {
                let sum = state.sum()?;
                let misfit = |mv: &GameMove| match asked(mv) {
                    Some(Move::Write { row, cell }) => misfit(row, cell.into(), sum),
                    _ if seat == state.active() => 6.0,
                    _ => 2.2,
                };
                moves.into_iter().min_by(|one, two| misfit(one).total_cmp(&misfit(two)))
            }
        }
    }
}

/// How far a number is from the one that suits a box best, less for a pentagon.
fn misfit(row: Colour, cell: usize, sum: u8) -> f64 {
    let ideal = 2.0 + number(cell) * 1.7;
    let bonus = if is_pentagon(row, cell) { 0.4 } else { 0.0 };
    (f64::from(sum) - ideal).abs() - bonus
}

fn best_misfit(state: &State, seat: Seat) -> Option<f64> {
    let sum = state.sum()?;
    let boxes = state.dice().iter().flat_map(|die| (0..BOXES).map(|cell| (die.colour, cell)));
    boxes
        .filter(|(row, cell)| state.fits(seat, *row, *cell, sum))
        .map(|(row, cell)| misfit(row, cell, sum))
        .min_by(f64::total_cmp)
}

/// What the empty boxes may still bring.
fn potential(sheet: &Sheet) -> f64 {
    let mut chances = [[1.0; BOXES]; 3];
    let mut sum = 0.0;
    for (row, chances) in sheet.rows.iter().zip(&mut chances) {
        fill_chances(row, chances);
        let empty = chances.iter().filter(|chance| **chance < 1.0);
        sum += empty.clone().sum::<f64>() * 0.8;
        let complete: f64 = empty.product();
        let last = row[BOXES - 1].map_or(15.5, f64::from);
        sum += complete * (last - 9.0).max(0.0);
    }
    for (row, colour) in Colour::ALL.into_iter().enumerate() {
        for cell in (0..BOXES).filter(|cell| is_pentagon(colour, *cell)) {
            let column = column_of(colour, cell);
            let mut chance = 1.0;
            let mut open = false;
            for (other, colour) in Colour::ALL.into_iter().enumerate() {
                for cell in (0..BOXES).filter(|cell| column_of(colour, *cell) == column) {
                    chance *= chances[other][cell];
                    open |= sheet.rows[other][cell].is_none();
                }
            }
            if open {
                sum += chance * sheet.rows[row][cell].map_or(2.0 + number(cell) * 1.7, f64::from);
            }
        }
    }
    sum
}

/// The chance that each box of a row will be filled: the more numbers fit into a gap for each of its boxes, the better.
fn fill_chances(row: &[Option<u8>; BOXES], chances: &mut [f64; BOXES]) {
    let mut start = 0;
    while start < BOXES {
        if row[start].is_some() {
            start += 1;
            continue;
        }
        let end = (start..BOXES).find(|cell| row[*cell].is_some()).unwrap_or(BOXES);
        let low = if start == 0 { 0 } else { row[start - 1].unwrap_or(0) };
        let high = row.get(end).copied().flatten().unwrap_or(TOP);
        let room: f64 = (low + 1..high).map(weight).sum();
        let each = room / number(end - start);
        let chance = (0.95 * (1.0 - (-each * 1.1).exp())).min(0.95);
        chances[start..end].fill(chance);
        start = end;
    }
}

/// How often a sum comes up, compared with the usual ones.
fn weight(sum: u8) -> f64 {
    match sum {
        1 | 17 => 0.35,
        18 => 0.2,
        2 | 3 | 15 | 16 => 0.7,
        _ => 1.0,
    }
}
