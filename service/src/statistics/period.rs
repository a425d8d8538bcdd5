//! Days, weeks, months and seasons, all in UTC. A season is a quarter of a year.

use domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use time::{Date, Duration, Month};
use utoipa::ToSchema;

const MICROS_PER_DAY: i64 = 86_400_000_000;
const EPOCH_JULIAN: i32 = 2_440_588;

/// The day of a point in time, in days since 1970-01-01.
#[must_use]
pub fn day_of(at: Timestamp) -> i32 {
    i32::try_from(at.micros().div_euclid(MICROS_PER_DAY)).expect("2^63 µs are fewer than 2^31 days")
}

/// The date of a day.
#[must_use]
pub fn date_of(day: i32) -> Date {
    Date::from_julian_day(day + EPOCH_JULIAN).expect("recorded times lie in representable years")
}

/// The day of a date.
#[must_use]
pub const fn number_of(date: Date) -> i32 {
    date.to_julian_day() - EPOCH_JULIAN
}

/// `2026-11`
#[must_use]
pub fn month(date: Date) -> String {
    format!("{:04}-{:02}", date.year(), u8::from(date.month()))
}

/// `2026-Q4`
#[must_use]
pub fn season(date: Date) -> String {
    format!("{:04}-Q{}", date.year(), u8::from(date.month()).div_ceil(3))
}

/// The unit of a time series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bucket {
    /// From midnight to midnight, UTC.
    Day,
    /// From Monday to Sunday.
    Week,
    /// A month of the calendar.
    Month,
}

impl Bucket {
    /// The bucket as it is written in requests.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
        }
    }

    /// The first day of the bucket that holds a day.
    #[must_use]
    pub fn start(self, date: Date) -> Date {
        match self {
            Self::Day => date,
            Self::Week => {
                let since_monday = i64::from(date.weekday().number_days_from_monday());
                date.saturating_sub(Duration::days(since_monday))
            }
            Self::Month => date.replace_day(1).expect("every month has a first day"),
        }
    }

    /// The first day of the bucket after the one that begins on a day.
    #[must_use]
    pub fn next(self, start: Date) -> Date {
        let days = match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => i64::from(start.month().length(start.year())),
        };
        start.saturating_add(Duration::days(days))
    }

    /// The first letter of the names of such buckets, and the letter after it.
    const fn letters(self) -> (&'static str, &'static str) {
        match self {
            Self::Day => ("d", "e"),
            Self::Week => ("w", "x"),
            Self::Month => ("m", "n"),
        }
    }

    /// The name of the cell of the bucket that begins on a day.
    fn name(self, start: Date) -> String {
        let letter = self.letters().0;
        match self {
            Self::Day | Self::Week => format!("{letter}{}", iso(start)),
            Self::Month => format!("{letter}{}", month(start)),
        }
    }
}

fn iso(date: Date) -> String {
    format!("{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day())
}

/// The name of the cell of all time.
pub const ALL: &str = "a";

/// The names of the cells that a day belongs to.
#[must_use]
pub fn names(day: i32) -> [String; 4] {
    let date = date_of(day);
    let of = |bucket: Bucket| bucket.name(bucket.start(date));
    [ALL.to_owned(), of(Bucket::Month), of(Bucket::Week), of(Bucket::Day)]
}

/// The bucket and its first day, from the name of a cell; nothing for the cell of all time.
#[must_use]
pub fn parse(name: &str) -> Option<(Bucket, Date)> {
    let (kind, rest) = name.split_at_checked(1)?;
    let number = |range: std::ops::Range<usize>| rest.get(range)?.parse::<u16>().ok();
    let (bucket, day) = match kind {
        "d" => (Bucket::Day, number(8..10)?),
        "w" => (Bucket::Week, number(8..10)?),
        "m" => (Bucket::Month, 1),
        _ => return None,
    };
    let month = Month::try_from(u8::try_from(number(5..7)?).ok()?).ok()?;
    let year = i32::from(number(0..4)?);
    Some((bucket, Date::from_calendar_date(year, month, u8::try_from(day).ok()?).ok()?))
}

/// Ranges of names of cells (start included, end not) that cover every day from `since` on and before `until` exactly once: whole
/// buckets of this size, and single days at the edges.
#[must_use]
pub fn cover(bucket: Bucket, since: Option<Date>, until: Option<Date>) -> Vec<(String, String)> {
    let days = |from: Date, to: Date| (Bucket::Day.name(from), Bucket::Day.name(to));
    let from = since.map(|since| match bucket.start(since) {
        start if start == since => start,
        start => bucket.next(start),
    });
    let to = until.map(|until| bucket.start(until));
    if let (Some(since), Some(until), Some(from), Some(to)) = (since, until, from, to)
        && from > to
    {
        return vec![days(since, until)];
    }
    let (letter, beyond) = bucket.letters();
    let first = from.map_or_else(|| letter.to_owned(), |from| bucket.name(from));
    let last = to.map_or_else(|| beyond.to_owned(), |to| bucket.name(to));
    let mut ranges = vec![(first, last)];
    ranges.extend(since.zip(from).map(|(since, from)| days(since, from)));
    ranges.extend(to.zip(until).map(|(to, until)| days(to, until)));
    ranges.retain(|(first, last)| first < last);
    ranges
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn a_season_is_a_quarter_and_a_week_begins_on_monday() {
        assert_eq!(season(date!(2026 - 03 - 31)), "2026-Q1");
        assert_eq!(season(date!(2026 - 04 - 01)), "2026-Q2");
        assert_eq!(season(date!(2026 - 12 - 31)), "2026-Q4");
        assert_eq!(Bucket::Week.start(date!(2026 - 11 - 22)), date!(2026 - 11 - 16));
        assert_eq!(names(20_773), ["a", "m2026-11", "w2026-11-16", "d2026-11-16"]);
        assert_eq!(parse("w2026-11-16"), Some((Bucket::Week, date!(2026 - 11 - 16))));
        assert_eq!(parse("m2026-11"), Some((Bucket::Month, date!(2026 - 11 - 01))));
        assert_eq!(parse("a"), None);
    }

    #[test]
    fn every_day_of_a_period_is_covered_once_and_no_other() {
        let first = date!(2025 - 12 - 20);
        let all: Vec<Date> =
            std::iter::successors(Some(first), |day| day.next_day()).take(120).collect();
        for bucket in [Bucket::Day, Bucket::Week, Bucket::Month] {
            for (since, until) in [
                (None, None),
                (Some(all[3]), None),
                (None, Some(all[100])),
                (Some(all[20]), Some(all[21])),
                (Some(all[12]), Some(all[43])),
                (Some(all[5]), Some(all[99])),
                (Some(all[13]), Some(all[16])),
            ] {
                let ranges = cover(bucket, since, until);
                for day in &all {
                    let names = names(number_of(*day));
                    let times = names
                        .iter()
                        .filter(|name| {
                            ranges.iter().any(|(first, last)| first <= *name && *name < last)
                        })
                        .count();
                    let inside = since.is_none_or(|since| *day >= since)
                        && until.is_none_or(|until| *day < until);
                    assert_eq!(times, usize::from(inside), "{day} {bucket:?} {since:?} {until:?}");
                }
            }
        }
    }
}
