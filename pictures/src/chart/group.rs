//! Many values grouped into a few bars of the same width. A small range of whole numbers gets one bar per number; durations
//! over a wide range are grouped by ratio.

use domain::text::Lang;

use super::{histogram::Bin, scale::Scale, unit::Unit};

/// The most bars that are easy to tell apart.
const BARS: f64 = 32.0;
/// Up to this range, every whole number gets its own bar.
const WHOLE: f64 = 40.0;
/// If the longest duration exceeds the shortest by this factor, durations are grouped by ratio.
const FAR: f64 = 12.0;

/// A bar: a range of values and their count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// The smallest value.
    pub from: f64,
    /// Where the next bar begins.
    pub to: f64,
    /// The number of values.
    pub count: f64,
}

/// Bars and their axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Grouped {
    /// The bars, from left to right.
    pub bars: Vec<Bar>,
    /// Whether every bar is one whole number.
    pub whole: bool,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Linear.
    Even,
    /// Logarithmic.
    Ratio,
}

#[expect(clippy::cast_precision_loss, reason = "a chart is not that precise")]
fn ends(bin: &Bin) -> (f64, f64, f64) {
    (bin.from as f64, bin.to as f64 + 1.0, bin.count as f64)
}

impl Grouped {
    /// The bars of a distribution; `None` if it is empty.
    #[must_use]
    pub fn of(bins: &[Bin], unit: Unit) -> Option<Self> {
        let bins: Vec<(f64, f64, f64)> =
            bins.iter().filter(|bin| bin.to >= bin.from && bin.count > 0).map(ends).collect();
        let (low, _, _) = *bins.first()?;
        let high = bins.iter().map(|(_, to, _)| *to).fold(low + 1.0, f64::max);
        let narrowest = bins.iter().map(|(from, to, _)| to - from).fold(f64::INFINITY, f64::min);
        let far = unit == Unit::Milliseconds && high > low.max(1.0) * FAR;
        let (kind, edges) = if far {
            let (low, high) = (low.max(1.0).log2(), high.log2());
            let step = [0.25, 0.5, 1.0].into_iter().find(|step| (high - low) / step <= BARS);
            let edges = edges(low, high, step.unwrap_or(2.0));
            (Kind::Ratio, edges.into_iter().map(f64::exp2).collect())
        } else {
            let few = unit == Unit::Number && high - low <= WHOLE;
            let least = if few { 1.0 } else { (high - low) / BARS };
            // Bins of durations are wide only for long durations, so they set no lower bound.
            let finest = if unit == Unit::Number { narrowest } else { 1.0 };
            (Kind::Even, edges(low, high, unit.step(least.max(finest))))
        };
        // The cumulative counts are rounded, so that the bars add up to the exact total.
        let below = |edge: f64| {
            let part = |(from, to, count): &(f64, f64, f64)| {
                count * ((edge - from) / (to - from)).clamp(0.0, 1.0)
            };
            bins.iter().map(part).sum::<f64>().round()
        };
        let last = edges.len().saturating_sub(1);
        let below: Vec<f64> = edges
            .iter()
            .enumerate()
            // The first bar also holds durations that are too short for a ratio.
            .map(|(index, edge)| {
                if index == 0 {
                    0.0
                } else if index == last {
                    below(f64::MAX)
                } else {
                    below(*edge)
                }
            })
            .collect();
        let bars: Vec<Bar> = edges
            .windows(2)
            .zip(below.windows(2))
            .map(|(edge, below)| Bar { from: edge[0], to: edge[1], count: below[1] - below[0] })
            .collect();
        let whole = unit == Unit::Number && bars.iter().all(|bar| bar.to - bar.from <= 1.0);
        Some(Self { bars, whole, kind })
    }

    /// The position of a value, from 0 at the low end to 1 at the high end.
    #[must_use]
    pub fn place(&self, value: f64) -> f64 {
        let at = |value: f64| match self.kind {
            Kind::Even => value,
            Kind::Ratio => value.max(1.0).log2(),
        };
        let (low, high) = (at(self.low()), at(self.high()));
        (at(value) - low) / (high - low)
    }

    /// The ticks: their positions and labels.
    #[must_use]
    pub fn ticks(&self, unit: Unit, lang: Lang) -> Vec<(f64, String)> {
        let (low, high) = (self.low(), self.high());
        if self.kind == Kind::Ratio {
            let wide = (high / low).log2() > 11.0;
            let told = round_durations()
                .filter(|(value, major)| (low..=high).contains(value) && (*major || !wide));
            return told.map(|(value, _)| (self.place(value), unit.tell(value, lang))).collect();
        }
        if self.whole {
            // The label of a whole number is centred under its bar.
            let scale = Scale::within(unit, low, high - 1.0, 8.0, 1.0);
            let told = |tick: &f64| (self.place(tick + 0.5), unit.short(*tick, scale.step, lang));
            return scale.ticks.iter().filter(|tick| **tick < high).map(told).collect();
        }
        let most = if unit == Unit::Number { 8.0 } else { 6.0 };
        let scale = Scale::within(unit, low, high, most, 0.0);
        let told = |tick: &f64| (self.place(*tick), unit.short(*tick, scale.step, lang));
        scale.ticks.iter().map(told).collect()
    }

    fn low(&self) -> f64 {
        self.bars.first().map_or(0.0, |bar| bar.from)
    }

    fn high(&self) -> f64 {
        self.bars.last().map_or(1.0, |bar| bar.to)
    }
}

/// Multiples of a step around two numbers.
fn edges(low: f64, high: f64, step: f64) -> Vec<f64> {
    let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
    std::iter::successors(Some(first), |edge| Some(edge + 1.0))
        .take_while(|edge| *edge <= last.max(first + 1.0) + 0.5)
        .take(200)
        .map(|edge| edge * step)
        .collect()
}

/// Durations that people think in, and whether each is a whole unit.
fn round_durations() -> impl Iterator<Item = (f64, bool)> {
    const SECOND: f64 = 1_000.0;
    const MINUTE: f64 = 60.0 * SECOND;
    const HOUR: f64 = 60.0 * MINUTE;
    const DAY: f64 = 24.0 * HOUR;
    let of = |unit: f64, all: &'static [(f64, bool)]| {
        all.iter().map(move |(n, major)| (n * unit, *major))
    };
    of(1.0, &[(1.0, true), (10.0, true), (100.0, true), (300.0, false)])
        .chain(of(SECOND, &[(1.0, true), (3.0, false), (10.0, true), (30.0, false)]))
        .chain(of(MINUTE, &[(1.0, true), (3.0, false), (10.0, true), (30.0, false)]))
        .chain(of(HOUR, &[(1.0, true), (3.0, false), (6.0, true), (12.0, false)]))
        .chain(of(
            DAY,
            &[(1.0, true), (3.0, false), (7.0, true), (30.0, true), (100.0, false), (365.0, true)],
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(grouped: &Grouped) -> f64 {
        grouped.bars.iter().map(|bar| bar.count).sum()
    }

    #[test]
    fn few_whole_numbers_stand_for_themselves_and_many_are_put_together() {
        let bin = |value: i64| Bin { from: value, to: value, count: 2 };
        let few = Grouped::of(&[bin(-3), bin(0), bin(4)], Unit::Number).unwrap();
        assert!(few.whole);
        assert_eq!((few.bars.len(), total(&few)), (8, 6.0));
        let many: Vec<Bin> = (-30..170).map(bin).collect();
        let many = Grouped::of(&many, Unit::Number).unwrap();
        assert!(!many.whole);
        assert_eq!((many.bars.len(), many.bars[0].from, many.bars[0].to), (20, -30.0, -20.0));
        assert!(many.bars.iter().all(|bar| (bar.count - 20.0).abs() < 1e-9));
        assert_eq!(Grouped::of(&[], Unit::Number), None);
    }

    #[test]
    fn nothing_is_lost_or_made_up_where_durations_are_cut() {
        let bins = [(60_000, 61_000, 7), (300_000, 310_000, 5), (86_400_000, 90_000_000, 3)];
        let bins = bins.map(|(from, to, count)| Bin { from, to, count });
        for some in [&bins[..1], &bins[..2], &bins[..]] {
            let grouped = Grouped::of(some, Unit::Milliseconds).unwrap();
            let all: u64 = some.iter().map(|bin| bin.count).sum();
            assert!((total(&grouped) - f64::from(u32::try_from(all).unwrap())).abs() < 1e-9);
            assert!(
                grouped.bars.len() <= 40 && !grouped.ticks(Unit::Milliseconds, Lang::En).is_empty()
            );
            assert!(grouped.bars.iter().all(|bar| bar.count >= 0.0 && bar.count.fract() == 0.0));
        }
    }
}
