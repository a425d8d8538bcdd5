//! Positions in the feed.

use std::{fmt, str::FromStr};

use crate::error::{Error, Result};

/// A position in the feed: everything up to it has been read. Only this module knows what it is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FeedPosition(u64);

impl FeedPosition {
    /// Before the first entry.
    pub const START: Self = Self(0);
    /// After every entry.
    pub const END: Self = Self(i64::MAX.cast_unsigned());

    /// The number of entries between an earlier position and this one; 0 if the other one is not earlier.
    #[must_use]
    pub const fn entries_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The position of the entry before this one; the start has none and stays.
    #[must_use]
    pub const fn previous(self) -> Self {
        self.back(1)
    }

    /// The position this many entries earlier; the start at the earliest.
    #[must_use]
    pub const fn back(self, entries: u64) -> Self {
        Self(self.0.saturating_sub(entries))
    }

    /// Whether nothing lies between `earlier` and this position's own entry.
    pub(super) const fn is_at_most_next_to(self, earlier: Self) -> bool {
        self.entries_since(earlier) <= 1
    }

    /// A position that the database stored as a text.
    pub(crate) fn read(text: &str) -> Result<Self> {
        text.parse().map_err(|_| Error::Failed(format!("`{text}` is not a position in the feed")))
    }

    /// The position as the database stores it.
    pub(crate) fn to_column(self) -> i64 {
        i64::try_from(self.0)
            .expect("positions are read from a signed column or checked when parsed")
    }

    /// A position as the database stored it.
    pub(crate) fn from_column(pos: i64) -> Result<Self> {
        match u64::try_from(pos) {
            Ok(pos) => Ok(Self(pos)),
            Err(_) => Err(Error::Failed(format!("{pos} is not a position in the feed"))),
        }
    }
}

impl fmt::Display for FeedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A text that is not a position in the feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a position in the feed")]
pub struct BadPosition;

impl FromStr for FeedPosition {
    type Err = BadPosition;

    fn from_str(text: &str) -> Result<Self, BadPosition> {
        let pos: u64 = text.parse().map_err(|_| BadPosition)?;
        // What does not fit into the column is no position.
        i64::try_from(pos).map(|_| Self(pos)).map_err(|_| BadPosition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_as_it_is_written_and_fits_into_its_column() {
        for text in ["0", "7", "9223372036854775807"] {
            let position: FeedPosition = text.parse().expect(text);
            assert_eq!(position.to_string(), text);
            assert_eq!(FeedPosition::from_column(position.to_column()).expect(text), position);
        }
        for text in ["", "-1", "x", "9223372036854775808"] {
            assert_eq!(text.parse::<FeedPosition>(), Err(BadPosition), "{text}");
        }
        assert!(FeedPosition::from_column(-1).is_err());
    }
}
