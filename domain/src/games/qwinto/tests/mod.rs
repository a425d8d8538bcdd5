//! Every rule of RULES.md, and the rulebook's worked examples.

use super::{
    Qwinto,
    components::{Colour, Colour::*, Dice},
    events::{Die, EndReason, Event},
    moves::Move,
    refusal::Refusal,
    state::{Answer, Phase, Sheet},
};
use crate::{
    game::{Decide, Score, ShowEvent, ShowState, Turns},
    seat::{Seat, SeatSet, Viewer},
    testing::{Given, given, opened},
};

mod ending;
mod luck;
mod rolling;
mod score;
mod writing;

const PASS: Move = Move::Pass {};

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

fn dice(colours: &[Colour]) -> Dice {
    colours.iter().copied().collect()
}

fn write(row: Colour, cell: u8) -> Move {
    Move::Write { row, cell }
}

/// A table of `seats` where seat 0 begins.
fn table(seats: u8) -> Given<Qwinto> {
    given(seats, [Event::FirstSeatDrawn { seat: seat(0) }])
}

/// Seat 0 has rolled these faces.
fn rolled(seats: u8, faces: &[(Colour, u8)]) -> Given<Qwinto> {
    let dice = faces.iter().map(|(colour, face)| Die { colour: *colour, face: *face }).collect();
    table(seats).and([Event::DiceRolled { dice }])
}

/// Seat 0 has rolled and kept these faces.
fn announced(seats: u8, faces: &[(Colour, u8)]) -> Given<Qwinto> {
    rolled(seats, faces).play(0, &Move::Keep {}, [])
}

fn with_sheet(mut table: Given<Qwinto>, number: usize, sheet: Sheet) -> Given<Qwinto> {
    table.state.sheets[number] = sheet;
    table
}

/// A sheet from its rows, 0 for an empty box.
fn sheet(rows: [[u8; 9]; 3], failures: u8) -> Sheet {
    let rows = rows.map(|row| row.map(|number| (number > 0).then_some(number)));
    Sheet { rows, failures, ..Sheet::default() }
}

const EMPTY: [u8; 9] = [0; 9];
const FULL: [u8; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 12];
