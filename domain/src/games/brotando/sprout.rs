//! Segments, and the sprout that they form.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::squares::{COLUMNS, ROWS, Squares};

/// The start square (R1.1).
pub const START: (u8, u8) = (7, 13);
/// The column between the two sides (R1.3).
const CENTRE: u8 = 7;

/// The direction of a segment.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = brotando::Direction)]
pub enum Direction {
    /// It covers the named square and the one to its right.
    Right,
    /// It covers the named square and the one below it.
    Down,
}

/// A segment on a board: two neighbouring squares.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(deny_unknown_fields)]
#[schema(as = brotando::Segment)]
pub struct Segment {
    /// The column of its left or upper square, 0 to 14 from the left.
    #[schema(maximum = 14)]
    pub column: u8,
    /// The row of its left or upper square, 0 to 13 from the top.
    #[schema(maximum = 13)]
    pub row: u8,
    /// The direction of its other square.
    pub direction: Direction,
}

impl Segment {
    pub(crate) const fn right(column: u8, row: u8) -> Self {
        Self { column, row, direction: Direction::Right }
    }

    pub(crate) const fn down(column: u8, row: u8) -> Self {
        Self { column, row, direction: Direction::Down }
    }

    pub(crate) const fn is_on_board(self) -> bool {
        match self.direction {
            Direction::Right => self.column < COLUMNS - 1 && self.row < ROWS,
            Direction::Down => self.column < COLUMNS && self.row < ROWS - 1,
        }
    }

    /// Its two squares, as far as they are on the board.
    pub(crate) fn squares(self) -> Squares {
        let first = Squares::one(self.column, self.row);
        match self.direction {
            Direction::Right => first | first.moved(1, 0),
            Direction::Down => first | first.moved(0, 1),
        }
    }

    pub(crate) const fn moved(self, right: u8, down: u8) -> Self {
        Self { column: self.column + right, row: self.row + down, ..self }
    }

    /// The squares of several segments.
    pub(crate) fn all_squares(segments: &[Self]) -> Squares {
        segments.iter().fold(Squares::NONE, |all, segment| all | segment.squares())
    }
}

/// Squares of segments on the left, on the right and in the centre column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = brotando::Balance)]
pub struct Balance {
    /// Squares in columns 0 to 6.
    #[schema(maximum = 98)]
    pub left: u16,
    /// Squares in columns 8 to 14.
    #[schema(maximum = 98)]
    pub right: u16,
    /// Squares in column 7; the start square does not count.
    #[schema(maximum = 13)]
    pub centre: u16,
}

impl Balance {
    /// `None` if the test is passed (R3.3), otherwise the number of segments lost (R3.4).
    pub(crate) fn imbalance(self) -> Option<u16> {
        self.left.abs_diff(self.right).checked_sub(self.centre)
    }
}

/// The segments on a board, by their left or upper squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sprout {
    right: Squares,
    down: Squares,
}

impl Sprout {
    pub(crate) const EMPTY: Self = Self { right: Squares::NONE, down: Squares::NONE };

    pub(crate) fn add(&mut self, segment: Segment) {
        let square = Squares::one(segment.column, segment.row);
        let lying = self.lying_mut(segment.direction);
        *lying = *lying | square;
    }

    pub(crate) fn remove(&mut self, segment: Segment) {
        let square = Squares::one(segment.column, segment.row);
        let lying = self.lying_mut(segment.direction);
        *lying = *lying - square;
    }

    fn lying_mut(&mut self, direction: Direction) -> &mut Squares {
        match direction {
            Direction::Right => &mut self.right,
            Direction::Down => &mut self.down,
        }
    }

    pub(crate) fn contains(&self, segment: Segment) -> bool {
        let lying = match segment.direction {
            Direction::Right => self.right,
            Direction::Down => self.down,
        };
        lying.contains(segment.column, segment.row)
    }

    /// Every segment, in order.
    pub(crate) fn segments(&self) -> Vec<Segment> {
        let right = self.right.iter().map(|(column, row)| Segment::right(column, row));
        let down = self.down.iter().map(|(column, row)| Segment::down(column, row));
        let mut segments: Vec<Segment> = right.chain(down).collect();
        segments.sort_unstable();
        segments
    }

    pub(crate) fn is_bare(&self) -> bool {
        self.right.is_empty() && self.down.is_empty()
    }

    /// The squares that segments cover.
    pub(crate) fn covered(&self) -> Squares {
        self.right | self.right.moved(1, 0) | self.down | self.down.moved(0, 1)
    }

    /// The whole sprout: the covered squares and the start square (R1.1).
    pub(crate) fn body(&self) -> Squares {
        self.covered() | Squares::one(START.0, START.1)
    }

    pub(crate) fn balance(&self) -> Balance {
        let covered = self.covered();
        Balance {
            left: covered.within(0..CENTRE).count(),
            right: covered.within(CENTRE + 1..COLUMNS).count(),
            centre: covered.within(CENTRE..CENTRE + 1).count(),
        }
    }

    /// Whether all of these segments are connected to the sprout (R5.4, R5.5).
    pub(crate) fn is_joined_by(&self, segments: &[Segment]) -> bool {
        let mut reached = self.body();
        let mut loose: Vec<Squares> = segments.iter().map(|segment| segment.squares()).collect();
        loop {
            let before = loose.len();
            loose.retain(|squares| {
                let joined = squares.meets(reached.around());
                if joined {
                    reached = reached | *squares;
                }
                !joined
            });
            if loose.is_empty() || loose.len() == before {
                return loose.is_empty();
            }
        }
    }
}
