//! Where the ticks of an axis stand and what they say.

use domain::text::Lang;
use time::{Date, Duration, Month};

/// A range of numbers with ticks at round places.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// Where the axis begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// The ticks, from low to high.
    pub ticks: Vec<f64>,
}

/// The smallest of 1, 2, 5, 10, 20, … (or a tenth, a hundredth, … of them) that is no less.
fn round_step(least: f64) -> f64 {
    if !least.is_finite() || least <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(least.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= least * 0.999_999);
    digit.unwrap_or(10.0) * power
}

impl Scale {
    /// An axis around these numbers with at most `most` steps, each of at least `finest`.
    #[must_use]
    pub fn around(low: f64, high: f64, most: f64, finest: f64) -> Self {
        let (low, high) = if high > low { (low, high) } else { (low, low + finest.max(1.0)) };
        let step = round_step(((high - low) / most).max(finest));
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        Self { low: first * step, high: last * step, ticks: steps(first, last, step) }
    }

    /// Round ticks within these numbers, which stay the ends of the axis.
    #[must_use]
    pub fn within(low: f64, high: f64, most: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        let step = round_step((high - low) / most);
        let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
        Self { low, high, ticks: steps(first, last, step) }
    }

    /// Where a number stands, from 0 at the low end to 1 at the high one.
    #[must_use]
    pub fn place(&self, number: f64) -> f64 {
        (number - self.low) / (self.high - self.low)
    }
}

fn steps(first: f64, last: f64, step: f64) -> Vec<f64> {
    std::iter::successors(Some(first), |tick| Some(tick + 1.0))
        .take_while(|tick| *tick <= last + 0.5)
        .take(50)
        .map(|tick| tick * step)
        .collect()
}

/// A number as people read it: with a thin space between thousands and the decimal mark of the language.
#[must_use]
pub fn figure(number: f64, lang: Lang) -> String {
    let rounded = (number.abs() * 100.0).round() / 100.0;
    let text = rounded.to_string();
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        // Four digits need no space.
        if index > 0 && whole.len() > 4 && (whole.len() - index).is_multiple_of(3) {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    if !rest.is_empty() {
        grouped.push(lang.pick('.', ','));
        grouped.push_str(rest);
    }
    if number < 0.0 && rounded > 0.0 { format!("−{grouped}") } else { grouped }
}

/// How far apart dates are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    Days(i64),
    Months(u8),
    Years(i32),
}

/// Round dates between two, at most about five, each with what it says.
#[must_use]
pub fn dates(from: Date, to: Date, lang: Lang) -> Vec<(Date, String)> {
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
        // The year is told where it begins, and at the beginning.
        Pace::Months(_) if first => format!("{} {}", month(date, lang), date.year()),
        Pace::Months(_) if date.month() == Month::January => date.year().to_string(),
        Pace::Months(_) => month(date, lang).to_owned(),
        Pace::Years(_) => date.year().to_string(),
    }
}

/// A whole date in words.
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
    use time::macros::date;

    use super::*;

    #[test]
    fn ticks_are_round_and_include_the_ends() {
        let scale = Scale::around(3.0, 87.0, 5.0, 1.0);
        assert_eq!(scale.ticks, [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(Scale::around(0.0, 3.0, 5.0, 1.0).ticks, [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(
            Scale::around(1_481.0, 1_519.0, 5.0, 0.0).ticks,
            [1_480.0, 1_490.0, 1_500.0, 1_510.0, 1_520.0]
        );
        assert_eq!(Scale::around(5.0, 5.0, 5.0, 1.0).ticks, [5.0, 6.0]);
        assert_eq!(Scale::within(-12.0, 47.0, 6.0).ticks, [-10.0, 0.0, 10.0, 20.0, 30.0, 40.0]);
    }

    #[test]
    fn numbers_are_written_as_the_language_does() {
        assert_eq!(figure(1_234_567.0, Lang::En), "1\u{202f}234\u{202f}567");
        assert_eq!(figure(1_500.0, Lang::Es), "1500");
        assert_eq!(figure(-0.25, Lang::Es), "−0,25");
        assert_eq!(figure(-0.001, Lang::En), "0");
    }

    #[test]
    fn dates_are_told_by_days_months_or_years() {
        let told = |from, to| -> Vec<String> {
            dates(from, to, Lang::Es).into_iter().map(|(_, text)| text).collect()
        };
        assert_eq!(
            told(date!(2026 - 11 - 01), date!(2026 - 11 - 16)),
            ["1 nov", "8 nov", "15 nov"]
        );
        let months = told(date!(2026 - 10 - 20), date!(2027 - 02 - 20));
        assert_eq!(months, ["nov 2026", "dic", "2027", "feb"]);
        assert_eq!(
            told(date!(2019 - 05 - 01), date!(2026 - 01 - 01)),
            ["2020", "2022", "2024", "2026"]
        );
        assert_eq!(told(date!(2026 - 11 - 01), date!(2026 - 11 - 01)), ["1 nov"]);
    }
}
