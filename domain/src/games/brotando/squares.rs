//! Sets of squares of a board, one word per row.

use std::ops::{BitAnd, BitOr, Sub};

/// Columns of the board (R1.1).
pub const COLUMNS: u8 = 15;
/// Rows of the board (R1.1).
pub const ROWS: u8 = 14;

const HEIGHT: usize = ROWS as usize;
const WIDE: u16 = (1 << COLUMNS) - 1;

/// A set of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Squares([u16; HEIGHT]);

impl Squares {
    pub(crate) const NONE: Self = Self([0; HEIGHT]);

    /// One square, or none if it is not on the board.
    pub(crate) fn one(column: u8, row: u8) -> Self {
        let mut squares = Self::NONE;
        if let Some(bits) = squares.0.get_mut(usize::from(row))
            && column < COLUMNS
        {
            *bits = 1 << column;
        }
        squares
    }

    pub(crate) fn contains(self, column: u8, row: u8) -> bool {
        let is_set = |bits: &u16| bits >> column & 1 == 1;
        column < COLUMNS && self.0.get(usize::from(row)).is_some_and(is_set)
    }

    pub(crate) fn is_empty(self) -> bool {
        self == Self::NONE
    }

    pub(crate) fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    pub(crate) fn count(self) -> u16 {
        self.0.iter().map(|row| u16::try_from(row.count_ones()).expect("sixteen bits")).sum()
    }

    /// The squares of some columns.
    pub(crate) fn within(self, columns: std::ops::Range<u8>) -> Self {
        let mask = columns.fold(0, |mask, column| mask | 1_u16 << column);
        Self(self.0.map(|row| row & mask))
    }

    /// The set moved; squares that would leave the board on the right or at the bottom are lost.
    pub(crate) fn moved(self, right: u8, down: u8) -> Self {
        Self(std::array::from_fn(|row| {
            let from = row.checked_sub(down.into()).map_or(0, |from| self.0[from]);
            from << right & WIDE
        }))
    }

    /// The squares whose right neighbour is in the set.
    pub(crate) fn left_of(self) -> Self {
        Self(self.0.map(|row| row >> 1))
    }

    /// The squares whose lower neighbour is in the set.
    pub(crate) fn above(self) -> Self {
        Self(std::array::from_fn(|row| self.0.get(row + 1).copied().unwrap_or(0)))
    }

    /// The squares that are orthogonally adjacent to one of the set.
    pub(crate) fn around(self) -> Self {
        self.left_of() | self.above() | self.moved(1, 0) | self.moved(0, 1)
    }

    /// Column and row of every square.
    pub(crate) fn iter(self) -> impl Iterator<Item = (u8, u8)> {
        (0..COLUMNS)
            .flat_map(|column| (0..ROWS).map(move |row| (column, row)))
            .filter(move |(column, row)| self.contains(*column, *row))
    }

    fn zip(self, other: Self, join: impl Fn(u16, u16) -> u16) -> Self {
        Self(std::array::from_fn(|row| join(self.0[row], other.0[row])))
    }
}

impl BitOr for Squares {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.zip(other, |one, two| one | two)
    }
}

impl BitAnd for Squares {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.zip(other, |one, two| one & two)
    }
}

impl Sub for Squares {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.zip(other, |one, two| one & !two)
    }
}

impl FromIterator<(u8, u8)> for Squares {
    fn from_iter<I: IntoIterator<Item = (u8, u8)>>(squares: I) -> Self {
        squares.into_iter().fold(Self::NONE, |set, (column, row)| set | Self::one(column, row))
    }
}
