//! The ticks of a time axis and their labels. All times are UTC.

use domain::text::Lang;
use time::{Date, Duration, Month, OffsetDateTime, Time};

/// The distance between labelled dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    Days(i64),
    Months(u8),
    Years(i32),
}

/// Round times between two, about six at most, with their labels.
#[must_use]
pub fn ticks(
    from: OffsetDateTime,
    to: OffsetDateTime,
    lang: Lang,
) -> Vec<(OffsetDateTime, String)> {
    if from == to {
        let is_day = from.time() == Time::MIDNIGHT;
        let text = if is_day {
            short_day(from, lang)
        } else {
            format!("{}, {}", short_day(from, lang), clock(from))
        };
        return vec![(from, text)];
    }
    let hours = (to - from).whole_hours();
    if hours < 48 && (from.time() != Time::MIDNIGHT || to.time() != Time::MIDNIGHT) {
        return times(from, to, lang);
    }
    let at_midnight = |date: Date| date.midnight().assume_utc();
    let first =
        if from.time() == Time::MIDNIGHT { Some(from.date()) } else { from.date().next_day() };
    let dates = first.map(|first| dates(first, to.date(), lang)).unwrap_or_default();
    dates.into_iter().map(|(date, text)| (at_midnight(date), text)).collect()
}

/// Round times of day.
fn times(from: OffsetDateTime, to: OffsetDateTime, lang: Lang) -> Vec<(OffsetDateTime, String)> {
    const STEPS: [i64; 10] = [1, 2, 5, 10, 15, 30, 60, 180, 360, 720];
    let minutes = (to - from).whole_minutes();
    let step = 60 * STEPS.into_iter().find(|step| minutes / step <= 5).unwrap_or(720);
    let first = (from.unix_timestamp() + step - 1).div_euclid(step) * step;
    let mut found: Vec<(OffsetDateTime, String)> = Vec::new();
    for second in (first..=to.unix_timestamp()).step_by(usize::try_from(step).unwrap_or(1)) {
        let Ok(at) = OffsetDateTime::from_unix_timestamp(second) else { break };
        // The first label of each day, and of the axis, includes the day.
        let text = match (at.time() == Time::MIDNIGHT, found.is_empty()) {
            (true, _) => short_day(at, lang),
            (false, true) => format!("{}, {}", short_day(at, lang), clock(at)),
            (false, false) => clock(at),
        };
        found.push((at, text));
    }
    if found.is_empty() {
        found.push((from, format!("{}, {}", short_day(from, lang), clock(from))));
    }
    found
}

fn clock(at: OffsetDateTime) -> String {
    format!("{}:{:02}", at.hour(), at.minute())
}

fn short_day(at: OffsetDateTime, lang: Lang) -> String {
    format!("{} {}", at.day(), month(at.date(), lang))
}

/// Round dates between two, about five at most, with their labels.
fn dates(from: Date, to: Date, lang: Lang) -> Vec<(Date, String)> {
    let days = (to - from).whole_days().max(0);
    let pace = match days {
        0..=5 => Pace::Days(1),
        6..=11 => Pace::Days(2),
        12..=34 => Pace::Days(7),
        35..=69 => Pace::Days(14),
        70..=160 => Pace::Months(1),
        161..=320 => Pace::Months(2),
        321..=480 => Pace::Months(3),
        481..=960 => Pace::Months(6),
        more => Pace::Years(i32::try_from(more / 1_830 + 1).unwrap_or(i32::MAX)),
    };
    let mut found = Vec::new();
    let mut at = Some(from);
    while let Some(date) = at.filter(|date| *date <= to) {
        let is_tick = match pace {
            Pace::Days(_) => true,
            Pace::Months(step) => date.day() == 1 && (u8::from(date.month()) - 1) % step == 0,
            Pace::Years(step) => {
                (date.day(), date.month()) == (1, Month::January) && date.year() % step == 0
            }
        };
        if is_tick {
            found.push((date, told(date, pace, found.is_empty(), lang)));
        }
        at = match pace {
            Pace::Days(step) => date.checked_add(Duration::days(step)),
            Pace::Months(_) => first_of_next_month(date),
            Pace::Years(_) => Date::from_calendar_date(date.year() + 1, Month::January, 1).ok(),
        };
    }
    found
}

fn first_of_next_month(date: Date) -> Option<Date> {
    let month = date.month().next();
    let year = if month == Month::January { date.year() + 1 } else { date.year() };
    Date::from_calendar_date(year, month, 1).ok()
}

fn told(date: Date, pace: Pace, first: bool, lang: Lang) -> String {
    match pace {
        Pace::Days(_) => format!("{} {}", date.day(), month(date, lang)),
        // The first label of each year, and of the axis, includes the year.
        Pace::Months(_) if first => format!("{} {}", month(date, lang), date.year()),
        Pace::Months(_) if date.month() == Month::January => date.year().to_string(),
        Pace::Months(_) => month(date, lang).to_owned(),
        Pace::Years(_) => date.year().to_string(),
    }
}

/// A complete date in words.
#[must_use]
pub fn day(date: Date, lang: Lang) -> String {
    format!("{} {} {}", date.day(), month(date, lang), date.year())
}

fn month(date: Date, lang: Lang) -> &'static str {
    const ENGLISH: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    const SPANISH: [&str; 12] =
        ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"];
    lang.pick(ENGLISH, SPANISH)[usize::from(u8::from(date.month()) - 1) % 12]
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn times_are_told_by_hours_days_months_or_years() {
        let told = |from, to| -> Vec<String> {
            ticks(from, to, Lang::Es).into_iter().map(|(_, text)| text).collect()
        };
        assert_eq!(
            told(datetime!(2026-11-01 0:00 UTC), datetime!(2026-11-16 0:00 UTC)),
            ["1 nov", "8 nov", "15 nov"]
        );
        assert_eq!(
            told(datetime!(2026-10-20 0:00 UTC), datetime!(2027-02-20 0:00 UTC)),
            ["nov 2026", "dic", "2027", "feb"]
        );
        assert_eq!(
            told(datetime!(2019-05-01 0:00 UTC), datetime!(2026-01-01 0:00 UTC)),
            ["2020", "2022", "2024", "2026"]
        );
        let day = datetime!(2026-11-01 0:00 UTC);
        assert_eq!(told(day, day), ["1 nov"]);
        assert_eq!(
            told(datetime!(2026-11-01 21:40 UTC), datetime!(2026-11-02 1:10 UTC)),
            ["1 nov, 22:00", "23:00", "2 nov", "1:00"]
        );
        assert_eq!(
            told(datetime!(2026-11-01 21:40:10 UTC), datetime!(2026-11-01 21:40:20 UTC)),
            ["1 nov, 21:40"]
        );
        assert_eq!(
            told(datetime!(2026-11-01 15:00 UTC), datetime!(2026-11-04 9:00 UTC)),
            ["2 nov", "3 nov", "4 nov"]
        );
    }
}
