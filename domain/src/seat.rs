//! The seats of a match, and its viewers.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::shape::Bilingual;

/// A player's place in a match, counted from 0; turns go in this order. Always below [`Seat::MAX`].
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(try_from = "u8", into = "u8")]
#[schema(value_type = u8, minimum = 0, maximum = 7, example = 0)]
pub struct Seat(u8);

impl Seat {
    /// The maximum number of seats in any game.
    pub const MAX: u8 = 8;

    /// The first seat.
    pub const FIRST: Self = Self(0);

    /// The seat with this number; `None` if no game has that many seats.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < Self::MAX { Some(Self(number)) } else { None }
    }

    /// The seat with a number that is known at compile time: `Seat::at::<2>()`. Does not compile if there is no such seat.
    #[must_use]
    pub const fn at<const NUMBER: u8>() -> Self {
        const { assert!(NUMBER < Self::MAX, "seats are numbered from 0 to 7") };
        Self(NUMBER)
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

    /// The first `count` seats, in order: all seats of a match with that many. Never more than [`Seat::MAX`].
    pub fn all(count: u8) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..count.min(Self::MAX)).map(Self)
    }

    /// The next seat clockwise (to the left) in a match with `count` seats.
    ///
    /// # Panics
    /// If no match has that many seats.
    #[must_use]
    pub const fn next(self, count: u8) -> Self {
        assert!(0 < count && count <= Self::MAX, "a match has 1 to 8 seats");
        Self((self.0 + 1) % count)
    }
}

impl TryFrom<u8> for Seat {
    type Error = Bilingual;

    fn try_from(number: u8) -> Result<Self, Bilingual> {
        Self::new(number).ok_or_else(|| {
            Bilingual::new(
                format!("There is no seat {number}: seats are numbered from 0 to 7."),
                format!("No existe el puesto {number}: los puestos se numeran de 0 a 7."),
            )
        })
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        seat.0
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

    /// Every seat of a match with `count` seats.
    #[must_use]
    pub const fn all(count: u8) -> Self {
        if count >= Seat::MAX { Self(u8::MAX) } else { Self((1 << count) - 1) }
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
        self.0 & 1 << seat.0 != 0
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

    /// The set with the bits of [`Self::bits`].
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The seats in order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::all(Seat::MAX).filter(move |seat| self.contains(*seat))
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

/// The viewer of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A seat sees what its player would see at a real table.
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

    /// Everybody who can look at a match with `count` seats while it is being played.
    pub fn at_table(count: u8) -> impl Iterator<Item = Self> {
        Seat::all(count).map(Self::Seat).chain([Self::Spectator])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_seat_beyond_the_last() {
        assert_eq!(Seat::new(7), Some(Seat::at::<7>()));
        assert_eq!(Seat::new(8), None);
        assert_eq!(Seat::all(200).count(), 8);
        assert_eq!(Seat::at::<7>().next(8), Seat::FIRST);
    }

    #[test]
    fn json_with_a_number_that_no_seat_has_is_refused() {
        assert_eq!(serde_json::from_str::<Seat>("7").unwrap(), Seat::at::<7>());
        assert_eq!(serde_json::to_string(&Seat::at::<7>()).unwrap(), "7");
        let refused = serde_json::from_str::<Seat>("200").unwrap_err().to_string();
        assert!(
            refused.contains("There is no seat 200: seats are numbered from 0 to 7"),
            "{refused}"
        );
    }

    #[test]
    fn a_set_holds_every_seat() {
        assert_eq!(SeatSet::all(8).iter().count(), 8);
        assert_eq!(Seat::all(8).collect::<SeatSet>(), SeatSet::all(8));
        assert_eq!(SeatSet::all(3).without(Seat::at::<1>()).bits(), 0b101);
        assert!(!SeatSet::one(Seat::at::<7>()).contains(Seat::FIRST));
    }
}
