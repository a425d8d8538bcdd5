//! Months of the calendar (UTC), by which partitions and files of the archive are divided. The id of a match tells its month.

use std::{fmt, str::FromStr};

use domain::time::Timestamp;
use time::{Date, Month as Name, OffsetDateTime};
use uuid::{Builder, Uuid};

/// A month of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    year: i32,
    /// From 1 to 12.
    month: u8,
}

impl Month {
    /// The month of a time; nothing outside the calendar.
    #[must_use]
    pub fn of(at: Timestamp) -> Option<Self> {
        let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.micros()) * 1_000).ok()?;
        Some(Self { year: at.year(), month: at.month().into() })
    }

    /// The month in which an id was given. An id that no server of this kind has given belongs to none.
    #[must_use]
    pub fn of_id(id: Uuid) -> Option<Self> {
        if id.get_version_num() != 7 {
            return None;
        }
        let millis = i64::try_from(id.as_u128() >> 80).ok()?;
        Self::of(Timestamp::from_micros(millis * 1_000))
    }

    /// The month after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        match self.month {
            12 => Self { year: self.year + 1, month: 1 },
            month => Self { month: month + 1, ..self },
        }
    }

    /// Its first moment.
    #[must_use]
    pub fn start(self) -> Timestamp {
        let month = Name::try_from(self.month).expect("a month from 1 to 12");
        let first = Date::from_calendar_date(self.year, month, 1).expect("a year of the calendar");
        Timestamp::from_micros(first.midnight().assume_utc().unix_timestamp() * 1_000_000)
    }

    /// A lower bound of the ids that are given in this month, and an upper bound of those before: all digits after the time
    /// are 0.
    #[must_use]
    pub fn first_id(self) -> Uuid {
        first_id(self.start())
    }
}

/// A lower bound of the ids that are given from this time on. Nothing was created before 1970.
#[must_use]
pub fn first_id(at: Timestamp) -> Uuid {
    let millis = u64::try_from(at.micros() / 1_000).unwrap_or(0);
    let id = Builder::from_unix_timestamp_millis(millis, &[0; 10]).into_uuid();
    Uuid::from_u128(id.as_u128() >> 80 << 80)
}

/// As in `2026-11`.
impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// Not a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a month is written as 2026-11")]
pub struct BadMonth;

impl FromStr for Month {
    type Err = BadMonth;

    fn from_str(text: &str) -> Result<Self, BadMonth> {
        let (year, month) = text.split_once('-').ok_or(BadMonth)?;
        let year = year.parse().map_err(|_| BadMonth)?;
        let month = month.parse().map_err(|_| BadMonth)?;
        let is_valid = (0..=9_999).contains(&year) && (1..=12).contains(&month);
        is_valid.then_some(Self { year, month }).ok_or(BadMonth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first moment of 2026.
    const NEW_YEAR: Timestamp = Timestamp::from_micros(1_767_225_600_000_000);

    fn id_at(at: Timestamp) -> Uuid {
        let millis = u64::try_from(at.micros() / 1_000).expect("after 1970");
        Builder::from_unix_timestamp_millis(millis, &[0xff; 10]).into_uuid()
    }

    #[test]
    fn ids_belong_to_the_month_in_which_they_were_given() {
        let january = Month::of(NEW_YEAR).expect("a month");
        assert_eq!(january.to_string(), "2026-01");
        assert_eq!("2026-01".parse(), Ok(january));
        assert_eq!(january.start(), NEW_YEAR);
        let last = id_at(Timestamp::from_micros(NEW_YEAR.micros() - 1_000));
        assert_eq!(Month::of_id(id_at(NEW_YEAR)), Some(january));
        assert_eq!(Month::of_id(last).map(Month::next), Some(january));
        assert!(last < january.first_id() && january.first_id() < id_at(NEW_YEAR));
    }

    #[test]
    fn ids_of_other_kinds_belong_to_no_month() {
        for id in [Uuid::nil(), Uuid::from_u128(5), Uuid::max(), Uuid::from_u128(0x4 << 76)] {
            assert_eq!(Month::of_id(id), None, "{id}");
        }
        let late = Uuid::from_u128(u128::MAX >> 80 << 80 | 0x7 << 76);
        assert_eq!(Month::of_id(late), None, "no calendar has that year");
    }

    #[test]
    fn what_is_not_a_month_is_refused() {
        for text in ["", "2026", "2026-13", "2026-00", "-1-01", "commits"] {
            assert_eq!(text.parse::<Month>(), Err(BadMonth), "{text}");
        }
    }
}
