//! The state of a match: the fold of its events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Options, Qwinto,
    components::{BONUS_COLUMNS, BOXES, Colour, Dice, MAX_FAILURES, box_in, column_of},
    events::{Die, EndReason},
    refusal::Refusal,
    score,
};
use crate::{
    game::Turns,
    seat::{Seat, SeatSet},
};

/// A seat's answer to an announced sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = qwinto::Answer)]
pub enum Answer {
    /// The sum is written here.
    Write {
        /// The row.
        row: Colour,
        /// The box of the row, 0 to 8 from the left.
        #[serde(rename = "box")]
        #[schema(maximum = 8)]
        cell: u8,
    },
    /// Nothing is written.
    Pass {},
}

/// A seat's sheet (R1), with counts for statistics.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sheet {
    /// The numbers in the rows, from the top and from the left.
    pub rows: [[Option<u8>; BOXES]; 3],
    pub(crate) failures: u8,
    pub(crate) rolls: u32,
    pub(crate) rerolls: u32,
    pub(crate) passes: u32,
}

impl Sheet {
    pub(crate) fn row(&self, row: Colour) -> &[Option<u8>; BOXES] {
        &self.rows[row.index()]
    }

    pub(crate) fn is_full(&self, row: Colour) -> bool {
        self.row(row).iter().all(Option::is_some)
    }

    /// The number in a row at a column, if the row has a box there and it is filled.
    pub(crate) fn at(&self, row: Colour, column: u8) -> Option<u8> {
        box_in(row, column).and_then(|cell| self.row(row)[cell])
    }

    pub(crate) fn is_bonus_full(&self, column: u8) -> bool {
        Colour::ALL.into_iter().all(|row| self.at(row, column).is_some())
    }

    pub(crate) fn full_rows(&self) -> usize {
        Colour::ALL.into_iter().filter(|row| self.is_full(*row)).count()
    }

    pub(crate) fn full_columns(&self) -> usize {
        BONUS_COLUMNS.iter().filter(|bonus| self.is_bonus_full(bonus.column)).count()
    }

    /// Whether `number` may be written in this box (R3.1, R3.3, R3.4).
    pub(crate) fn check(&self, row: Colour, cell: usize, number: u8) -> Result<(), Refusal> {
        let boxes = self.row(row);
        if cell >= BOXES {
            return Err(Refusal::NoSuchBox);
        }
        if boxes[cell].is_some() {
            return Err(Refusal::BoxTaken);
        }
        let fits = boxes[..cell].iter().flatten().all(|left| *left < number)
            && boxes[cell + 1..].iter().flatten().all(|right| *right > number);
        if !fits {
            return Err(Refusal::NotAscending); // R3.3
        }
        let column = column_of(row, cell);
        if Colour::ALL.into_iter().any(|other| self.at(other, column) == Some(number)) {
            return Err(Refusal::TwiceInColumn); // R3.4
        }
        Ok(())
    }
}

/// The part of a turn that is being played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Phase {
    Setup,
    Rolling,
    Rolled { dice: Vec<Die> },
    Writing { dice: Vec<Die>, sum: u8, answers: Vec<Option<Answer>> },
    Over { reason: EndReason },
}

/// The state of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub(crate) active: Seat,
    pub(crate) turn: u32,
    pub(crate) phase: Phase,
    pub(crate) sheets: Vec<Sheet>,
}

impl State {
    pub(crate) fn seats(&self) -> u8 {
        u8::try_from(self.sheets.len()).expect("at most six sheets")
    }

    /// The sheets, by seat.
    #[must_use]
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// The seat whose turn it is.
    #[must_use]
    pub const fn active(&self) -> Seat {
        self.active
    }

    /// The points of a seat (R5).
    #[must_use]
    pub fn points(&self, seat: Seat) -> i64 {
        score::total(&self.sheets[seat.index()])
    }

    /// Whether a number could be written in this box of a seat's sheet (R3.1, R3.3, R3.4).
    #[must_use]
    pub fn fits(&self, seat: Seat, row: Colour, cell: usize, number: u8) -> bool {
        self.sheets[seat.index()].check(row, cell, number).is_ok()
    }

    /// The dice on the table.
    #[must_use]
    pub fn dice(&self) -> &[Die] {
        match &self.phase {
            Phase::Rolled { dice } | Phase::Writing { dice, .. } => dice,
            Phase::Setup | Phase::Rolling | Phase::Over { .. } => &[],
        }
    }

    /// The colours on the table.
    pub(crate) fn colours(&self) -> Dice {
        self.dice().iter().map(|die| die.colour).collect()
    }

    /// The sum of the dice on the table (R2.4).
    #[must_use]
    pub fn sum(&self) -> Option<u8> {
        let dice = self.dice();
        (!dice.is_empty()).then(|| sum_of(dice))
    }

    /// The answer of a seat to the announced sum.
    pub(crate) fn answer(&self, seat: Seat) -> Option<Answer> {
        match &self.phase {
            Phase::Writing { answers, .. } => answers.get(seat.index()).copied().flatten(),
            Phase::Setup | Phase::Rolling | Phase::Rolled { .. } | Phase::Over { .. } => None,
        }
    }

    /// Why the match ends now, if it does (R4).
    pub(crate) fn end_reason(&self) -> Option<EndReason> {
        if self.sheets.iter().any(|sheet| sheet.full_rows() >= 2) {
            return Some(EndReason::TwoRows); // R4.1
        }
        let failed = self.sheets.iter().any(|sheet| sheet.failures >= MAX_FAILURES);
        failed.then_some(EndReason::FourFailures) // R4.2
    }
}

/// The sum of dice (R2.4).
pub(crate) fn sum_of(dice: &[Die]) -> u8 {
    dice.iter().map(|die| die.face).sum()
}

impl Turns for Qwinto {
    fn new(seats: u8, _options: &Options, _rules: u16) -> State {
        State {
            active: Seat::FIRST,
            turn: 0,
            phase: Phase::Setup,
            sheets: vec![Sheet::default(); seats.into()],
        }
    }

    fn to_act(state: &State) -> SeatSet {
        match &state.phase {
            Phase::Rolling | Phase::Rolled { .. } => SeatSet::one(state.active),
            Phase::Writing { .. } => {
                Seat::all(state.seats()).filter(|seat| state.answer(*seat).is_none()).collect()
            }
            Phase::Setup | Phase::Over { .. } => SeatSet::NONE,
        }
    }

    /// Answers do not affect one another; everything else does.
    fn epoch(state: &State) -> u64 {
        let phase = match &state.phase {
            Phase::Setup | Phase::Rolling => 0,
            Phase::Rolled { .. } => 1,
            Phase::Writing { .. } => 2,
            Phase::Over { .. } => 3,
        };
        u64::from(state.turn) * 4 + phase
    }

    fn finished(state: &State) -> bool {
        matches!(state.phase, Phase::Over { .. })
    }
}
