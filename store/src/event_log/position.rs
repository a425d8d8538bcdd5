//! Positions in the feed.

use std::{fmt, str::FromStr, sync::Arc};

use crate::{
    error::{Error, Result},
    lane::{Lane, Lanes},
};

/// The place of an entry: the feed that it belongs to, and its number there, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId {
    /// The feed, by the lane that it is named after.
    pub stream: Lane,
    /// The number of the entry.
    pub number: u64,
}

/// A position: everything up to it has been read. If every lane has a feed of its own, a position has a number for each of
/// them, and of two positions neither may be the later one. Only this module knows what it is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FeedPosition(Numbers);

/// The number of the last entry that was read, by feed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Numbers {
    /// Only entries of the first feed.
    First(u64),
    /// Entries of others as well. The last number is not 0.
    Many(Arc<[u64]>),
}

impl FeedPosition {
    /// Before the first entry.
    pub const START: Self = Self(Numbers::First(0));

    pub(super) fn new(mut numbers: Vec<u64>) -> Self {
        while numbers.last() == Some(&0) {
            numbers.pop();
        }
        match numbers.as_slice() {
            [] => Self::START,
            [first] => Self(Numbers::First(*first)),
            _ => Self(Numbers::Many(numbers.into())),
        }
    }

    fn numbers(&self) -> &[u64] {
        match &self.0 {
            Numbers::First(number) => std::slice::from_ref(number),
            Numbers::Many(numbers) => numbers,
        }
    }

    /// The last entry of a feed that has been read; number 0 if none has.
    #[must_use]
    pub fn last_of(&self, stream: Lane) -> EntryId {
        EntryId { stream, number: self.get(stream) }
    }

    pub(super) fn get(&self, stream: Lane) -> u64 {
        self.numbers().get(stream.index()).copied().unwrap_or(0)
    }

    /// Moves on to an entry, whose feed has been read up to there.
    pub fn set(&mut self, entry: EntryId) {
        let index = entry.stream.index();
        match &mut self.0 {
            Numbers::First(number) if index == 0 => *number = entry.number,
            Numbers::Many(numbers) if index < numbers.len() && entry.number > 0 => {
                Arc::make_mut(numbers)[index] = entry.number;
            }
            _ => {
                let mut numbers = self.numbers().to_vec();
                numbers.resize(numbers.len().max(index + 1), 0);
                numbers[index] = entry.number;
                *self = Self::new(numbers);
            }
        }
    }

    /// The same position, but with its feed read up to this entry.
    #[must_use]
    pub fn with(&self, entry: EntryId) -> Self {
        let mut position = self.clone();
        position.set(entry);
        position
    }

    /// The same position, but with the feed of this entry read up to the one before it.
    #[must_use]
    pub fn before(&self, entry: EntryId) -> Self {
        self.with(EntryId { number: entry.number.saturating_sub(1), ..entry })
    }

    /// Whether an entry has been read.
    #[must_use]
    pub fn includes(&self, entry: EntryId) -> bool {
        entry.number <= self.get(entry.stream)
    }

    /// Whether everything up to another position has been read.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        let (mine, others) = (self.numbers(), other.numbers());
        let common = mine.iter().zip(others).all(|(mine, other)| other <= mine);
        common && others.iter().skip(mine.len()).all(|number| *number == 0)
    }

    /// The position that covers both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        if let (Numbers::First(mine), Numbers::First(other)) = (&self.0, &other.0) {
            return Self(Numbers::First(*mine.max(other)));
        }
        let (mine, others) = (self.numbers(), other.numbers());
        let at = |numbers: &[u64], index| numbers.get(index).copied().unwrap_or(0);
        let length = mine.len().max(others.len());
        Self::new((0..length).map(|index| at(mine, index).max(at(others, index))).collect())
    }

    /// The number of entries between another position and this one.
    #[must_use]
    pub fn entries_since(&self, earlier: &Self) -> u64 {
        let earlier = earlier.numbers().iter().copied().chain(std::iter::repeat(0));
        self.numbers().iter().zip(earlier).map(|(mine, other)| mine.saturating_sub(other)).sum()
    }

    /// The position this many entries earlier in every feed; the start at the earliest.
    #[must_use]
    pub fn back(&self, entries: u64) -> Self {
        Self::new(self.numbers().iter().map(|number| number.saturating_sub(entries)).collect())
    }

    /// A position as the database stored it.
    pub(crate) fn read(text: &str) -> Result<Self> {
        text.parse().map_err(|_| Error::Failed(format!("`{text}` is not a position in the feed")))
    }
}

/// The numbers of all feeds, separated by hyphens. Zeros at the end are left out.
impl fmt::Display for FeedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, number) in self.numbers().iter().enumerate() {
            write!(f, "{}{number}", if index == 0 { "" } else { "-" })?;
        }
        Ok(())
    }
}

/// A text that is not a position in the feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a position in the feed")]
pub struct BadPosition;

impl FromStr for FeedPosition {
    type Err = BadPosition;

    fn from_str(text: &str) -> Result<Self, BadPosition> {
        // What does not fit into a column is no position.
        let number = |text: &str| text.parse().ok().filter(|it| i64::try_from(*it).is_ok());
        let numbers = text.split('-').take(usize::from(Lanes::MAX) + 1).map(number);
        let numbers = numbers.collect::<Option<Vec<u64>>>().ok_or(BadPosition)?;
        if numbers.len() > usize::from(Lanes::MAX) {
            return Err(BadPosition);
        }
        Ok(Self::new(numbers))
    }
}

/// A number as the database stores it.
pub(super) fn to_column(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> FeedPosition {
        text.parse().expect(text)
    }

    fn entry(stream: i16, number: u64) -> EntryId {
        EntryId { stream: Lane::from_column(stream).expect("a lane"), number }
    }

    #[test]
    fn a_position_is_read_as_it_is_written() {
        for text in ["0", "7", "9223372036854775807", "0-0-5", "3-1-0-2"] {
            assert_eq!(position(text).to_string(), text);
        }
        assert_eq!(position("7-0-0").to_string(), "7");
        let many = "1-".repeat(usize::from(Lanes::MAX)) + "1";
        for text in ["", "-1", "x", "9223372036854775808", "1-", "1--2", many.as_str()] {
            assert_eq!(text.parse::<FeedPosition>(), Err(BadPosition), "{text}");
        }
    }

    #[test]
    fn positions_are_compared_feed_by_feed() {
        for (one, other) in [("0", "0"), ("5", "3"), ("5-2", "5"), ("5-2", "5-1"), ("1-1", "0-1")] {
            assert!(position(one).covers(&position(other)), "{one} {other}");
            assert_eq!(position(one).union(&position(other)), position(one));
        }
        for (one, other, both) in [("3", "5", "5"), ("5", "4-1", "5-1"), ("2-1-1", "1-2", "2-2-1")]
        {
            assert!(!position(one).covers(&position(other)), "{one} {other}");
            assert_eq!(position(one).union(&position(other)), position(both));
        }
    }

    #[test]
    fn a_position_moves_within_one_feed() {
        assert_eq!(position("5").with(entry(2, 3)), position("5-0-3"));
        assert_eq!(position("5-0-3").with(entry(0, 6)), position("6-0-3"));
        assert_eq!(position("5-0-1").before(entry(2, 1)), position("5"));
        assert!(
            position("5-0-3").includes(entry(2, 3)) && !position("5-0-3").includes(entry(1, 1))
        );
        assert_eq!(position("5-0-3").back(3), position("2"));
        assert_eq!(position("5-0-3").entries_since(&position("3-1")), 5);
        assert_eq!(position("5").entries_since(&position("7-1")), 0);
    }
}
