//! Units of numbers, and how they are formatted.

use domain::text::Lang;

/// The unit of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A plain number.
    Number,
    /// A fraction of one, formatted in percent.
    Share,
    /// A duration in milliseconds.
    Milliseconds,
}

const SECOND: f64 = 1_000.0;
const MINUTE: f64 = 60.0 * SECOND;
const HOUR: f64 = 60.0 * MINUTE;
const DAY: f64 = 24.0 * HOUR;

/// The units of durations, the largest first.
const DURATIONS: [(f64, &str); 5] =
    [(DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (SECOND, "s"), (1.0, "ms")];

impl Unit {
    /// The next round number at or above: 1, 2, 5, 10, 20, …, or a round duration.
    #[must_use]
    pub fn step(self, least: f64) -> f64 {
        const DURATIONS: [f64; 17] = [
            SECOND,
            2.0 * SECOND,
            5.0 * SECOND,
            10.0 * SECOND,
            15.0 * SECOND,
            30.0 * SECOND,
            MINUTE,
            2.0 * MINUTE,
            5.0 * MINUTE,
            10.0 * MINUTE,
            15.0 * MINUTE,
            30.0 * MINUTE,
            HOUR,
            2.0 * HOUR,
            6.0 * HOUR,
            12.0 * HOUR,
            DAY,
        ];
        match self {
            Self::Milliseconds if least > DAY => decimal_step(least / DAY) * DAY,
            Self::Milliseconds if least > SECOND / 2.0 => {
                DURATIONS.into_iter().find(|step| *step >= least).unwrap_or(DAY)
            }
            Self::Number | Self::Share | Self::Milliseconds => decimal_step(least),
        }
    }

    /// A number as text, with sensible precision.
    #[must_use]
    pub fn tell(self, number: f64, lang: Lang) -> String {
        match self {
            Self::Number => figure(number, lang),
            Self::Share => percent(number, lang),
            Self::Milliseconds => duration(number, lang),
        }
    }

    /// A short label for a number on an axis with this step.
    #[must_use]
    pub fn short(self, number: f64, step: f64, lang: Lang) -> String {
        match self {
            Self::Number if number.abs() >= 1e12 => format!("{number:.1e}"),
            Self::Number if number.abs() >= 1e6 => format!("{}\u{a0}M", figure(number / 1e6, lang)),
            Self::Number => figure(number, lang),
            Self::Share => percent(number, lang),
            Self::Milliseconds => {
                // All labels use the largest unit that divides the step.
                let is_whole = |unit: f64| (step / unit).fract().abs() < 1e-9;
                let unit = DURATIONS.into_iter().find(|(unit, _)| is_whole(*unit));
                let (unit, name) = unit.unwrap_or((1.0, "ms"));
                format!("{}\u{a0}{name}", figure(number / unit, lang))
            }
        }
    }
}

/// The smallest of 1, 2, 5, 10, 20, … (or a tenth, a hundredth, … of them) at or above the number.
fn decimal_step(least: f64) -> f64 {
    if !least.is_finite() || least <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(least.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= least * 0.999_999);
    digit.unwrap_or(10.0) * power
}

fn percent(share: f64, lang: Lang) -> String {
    format!("{}\u{a0}%", figure((share * 1_000.0).round() / 10.0, lang))
}

/// A duration in its two largest units.
fn duration(milliseconds: f64, lang: Lang) -> String {
    let all = milliseconds.abs();
    let sign = if milliseconds < 0.0 { "−" } else { "" };
    let mut units = DURATIONS.into_iter().zip(DURATIONS.into_iter().skip(1));
    let Some(((large, name), (small, rest_name))) = units.find(|((large, _), _)| all >= *large)
    else {
        return format!("{}\u{a0}ms", figure(milliseconds.round(), lang));
    };
    if small < SECOND {
        return format!("{sign}{}\u{a0}s", figure((all / SECOND * 10.0).round() / 10.0, lang));
    }
    let smalls = (all / small).round();
    let per = large / small;
    let (whole, rest) = ((smalls / per).floor(), smalls % per);
    if rest == 0.0 {
        return format!("{sign}{}\u{a0}{name}", figure(whole, lang));
    }
    format!("{sign}{}\u{a0}{name} {}\u{a0}{rest_name}", figure(whole, lang), figure(rest, lang))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_language_does() {
        assert_eq!(figure(1_234_567.0, Lang::En), "1\u{202f}234\u{202f}567");
        assert_eq!(figure(1_500.0, Lang::Es), "1500");
        assert_eq!(figure(-0.25, Lang::Es), "−0,25");
        assert_eq!(figure(-0.001, Lang::En), "0");
        assert_eq!(Unit::Share.tell(0.4567, Lang::Es), "45,7\u{a0}%");
    }

    #[test]
    fn durations_are_told_in_their_two_largest_units() {
        let told = |number| Unit::Milliseconds.tell(number, Lang::En).replace('\u{a0}', " ");
        assert_eq!(
            [850.0, 12_340.0, 60_000.0, 754_000.0, 3_599_900.0, 5_400_000.0, 1e9].map(told),
            ["850 ms", "12.3 s", "1 min", "12 min 34 s", "60 min", "1 h 30 min", "11 d 14 h"]
        );
    }

    #[test]
    fn steps_are_round_and_durations_are_round_on_a_clock() {
        let told =
            |unit: Unit, least: f64| unit.tell(unit.step(least), Lang::En).replace('\u{a0}', " ");
        let numbers = [0.3, 1.0, 2.5, 7.0, 11.0].map(|least| told(Unit::Number, least));
        assert_eq!(numbers, ["0.5", "1", "5", "10", "20"]);
        let times = [30.0, 4e3, 20e3, 7e5, 9e6, 1e8].map(|least| told(Unit::Milliseconds, least));
        assert_eq!(times, ["50 ms", "5 s", "30 s", "15 min", "6 h", "2 d"]);
    }

    #[test]
    fn an_axis_has_one_unit_and_huge_numbers_are_short() {
        let short = |number, step| Unit::Milliseconds.short(number, step, Lang::En);
        assert_eq!(short(5_400_000.0, 1_800_000.0), "90\u{a0}min");
        assert_eq!(short(7_200_000.0, 3_600_000.0), "2\u{a0}h");
        assert_eq!(Unit::Number.short(1.5e6, 5e5, Lang::Es), "1,5\u{a0}M");
        assert_eq!(Unit::Number.short(2e19, 1e19, Lang::Es), "2.0e19");
    }
}
