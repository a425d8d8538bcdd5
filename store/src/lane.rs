//! Lanes: every match belongs to one of a fixed number of lanes, which is part of the key of all rows about the match.
//!
//! A database that consists of several nodes keeps the rows of a lane on one of them. So a statement about a match concerns
//! one node, and what is written for a match is written in one place.

use sea_orm::sea_query::{Asterisk, Query, SelectStatement};
use uuid::Uuid;

use crate::error::{Error, Result};

/// The tables whose rows belong to matches. The lane is the first column of each primary key.
pub const LANE_TABLES: [&str; 9] = [
    "commits",
    "feed",
    "lanes",
    "matches",
    "match_seats",
    "invitations",
    "rematches",
    "presence",
    "match_results",
];

/// A lane, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lane(i16);

impl Lane {
    /// The first lane. While all lanes share one feed, it is the feed of this one.
    pub const FIRST: Self = Self(0);

    /// The lane with this number; nothing if no store has so many.
    #[must_use]
    pub fn new(number: u16) -> Option<Self> {
        let lane = i16::try_from(number).ok().filter(|_| number < Lanes::MAX)?;
        Some(Self(lane))
    }

    /// The lane as the database stores it.
    #[must_use]
    pub const fn column(self) -> i16 {
        self.0
    }

    /// A lane as the database stored it.
    pub(crate) fn from_column(lane: i16) -> Result<Self> {
        if lane < 0 {
            return Err(Error::Failed(format!("{lane} is not a lane")));
        }
        Ok(Self(lane))
    }

    /// The number of the lane.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.unsigned_abs() as usize
    }
}

/// The number of lanes of a store. It never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lanes(i16);

impl Lanes {
    /// The most lanes.
    pub const MAX: u16 = 1024;
    /// The number of lanes of a new store, unless another one is asked for.
    pub const DEFAULT: Self = Self(64);

    /// This many lanes; nothing if there cannot be so many.
    #[must_use]
    pub fn new(count: u16) -> Option<Self> {
        let count = i16::try_from(count).ok().filter(|_| (1..=Self::MAX).contains(&count))?;
        Some(Self(count))
    }

    /// The number as the database stores it.
    pub(crate) const fn column(self) -> i16 {
        self.0
    }

    /// The number of lanes.
    #[must_use]
    pub const fn count(self) -> usize {
        self.0.unsigned_abs() as usize
    }

    /// All lanes.
    pub fn all(self) -> impl Iterator<Item = Lane> + use<> {
        (0..self.0).map(Lane)
    }

    /// The lane of a match: the last two bytes of its id as a number, modulo the number of lanes. Those bytes are random in the
    /// ids that servers give.
    #[must_use]
    pub fn of(self, match_id: Uuid) -> Lane {
        let [.., high, low] = match_id.into_bytes();
        let number = u16::from_be_bytes([high, low]) % self.0.unsigned_abs();
        Lane(number.cast_signed())
    }

    /// The keys of these matches as a list that statements can search: rows of lane and match. There must be at least one.
    pub(crate) fn keys(self, ids: &[Uuid]) -> SelectStatement {
        let keys = ids.iter().map(|id| (self.of(*id).column(), *id));
        Query::select().column(Asterisk).from_values(keys, "keys").to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_is_the_end_of_the_id_modulo_the_number_of_lanes() {
        let id = Uuid::from_u128(0x0197_5a3c_0000_7000_8000_0000_0000_fffe);
        for (lanes, lane) in [(1, 0), (10, 4), (64, 62), (1024, 1022)] {
            let lanes = Lanes::new(lanes).expect("a number of lanes");
            assert_eq!(lanes.of(id).column(), lane);
            assert!(lanes.all().any(|it| it == lanes.of(id)));
        }
        assert_eq!(Lanes::new(0), None);
        assert_eq!(Lanes::new(Lanes::MAX + 1), None);
        assert_eq!(Lanes::DEFAULT.all().count(), 64);
    }
}
