//! Seats of a match and who looks at it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A player's place in a match, counted from 0; turns go in this order.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(transparent)]
#[schema(value_type = u8, minimum = 0, maximum = 7, example = 0)]
pub struct Seat(u8);

impl Seat {
    /// The most seats that any game may have.
    pub const MAX: u8 = 8;

    /// The seat with this number.
    #[must_use]
    pub const fn new(number: u8) -> Self {
        Self(number)
    }

    /// The number of the seat.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The seat as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All seats of a table of `count`.
    pub fn all(count: u8) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..count).map(Self)
    }

    /// The next seat clockwise (to the left) at a table of `count`.
    #[must_use]
    pub const fn next(self, count: u8) -> Self {
        Self((self.0 + 1) % count)
    }
}

impl std::fmt::Display for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SeatSet(u8);

impl SeatSet {
    /// No seat.
    pub const NONE: Self = Self(0);

    /// Every seat of a table of `count`.
    #[must_use]
    pub const fn all(count: u8) -> Self {
        if count >= 8 { Self(u8::MAX) } else { Self((1 << count) - 1) }
    }

    /// Only this seat.
    #[must_use]
    pub const fn one(seat: Seat) -> Self {
        Self(1 << seat.0)
    }

    /// This set with one more seat.
    #[must_use]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | 1 << seat.0)
    }

    /// This set without a seat.
    #[must_use]
    pub const fn without(self, seat: Seat) -> Self {
        Self(self.0 & !(1 << seat.0))
    }

    /// Whether the seat is in the set.
    #[must_use]
    pub const fn contains(self, seat: Seat) -> bool {
        seat.0 < Seat::MAX && self.0 & 1 << seat.0 != 0
    }

    /// Whether no seat is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many seats are in the set.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The set as bits, seat 0 the lowest.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Reads what [`Self::bits`] gave.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The seats in order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..Seat::MAX).map(Seat).filter(move |seat| self.contains(*seat))
    }
}

impl std::fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(Seat::number)).finish()
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::NONE, Self::with)
    }
}

/// Who looks at a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A seat sees what its player would see at the table.
    Seat(Seat),
    /// A spectator sees what is public.
    Spectator,
    /// The archive sees everything; only for matches that are over.
    Archive,
}

impl Viewer {
    /// Whether this viewer may see what belongs to `seat` alone.
    #[must_use]
    pub fn sees(self, seat: Seat) -> bool {
        self == Self::Archive || self == Self::Seat(seat)
    }

    /// Everybody who can look at a table of `count` while it is being played.
    pub fn at_table(count: u8) -> impl Iterator<Item = Self> {
        Seat::all(count).map(Self::Seat).chain([Self::Spectator])
    }
}
