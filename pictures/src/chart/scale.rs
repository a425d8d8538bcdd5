//! The scale of an axis and its ticks.

use super::unit::Unit;

/// A range of numbers with ticks at round numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// Where the axis begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// The distance between ticks.
    pub step: f64,
    /// The ticks, from low to high.
    pub ticks: Vec<f64>,
}

impl Scale {
    /// An axis around these numbers with at most `most` steps, each of at least `finest`.
    #[must_use]
    pub fn around(unit: Unit, low: f64, high: f64, most: f64, finest: f64) -> Self {
        let (low, high) = if high > low { (low, high) } else { (low, low + finest.max(1.0)) };
        let step = unit.step(((high - low) / most).max(finest));
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        Self { low: first * step, high: last * step, step, ticks: steps(first, last, step) }
    }

    /// Round ticks between these numbers, which remain the ends of the axis.
    #[must_use]
    pub fn within(unit: Unit, low: f64, high: f64, most: f64, finest: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        let step = unit.step(((high - low) / most).max(finest));
        let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
        Self { low, high, step, ticks: steps(first, last, step) }
    }

    /// The position of a number, from 0 at the low end to 1 at the high end.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_include_the_ends() {
        let around = |low, high, finest| Scale::around(Unit::Number, low, high, 5.0, finest).ticks;
        assert_eq!(around(3.0, 87.0, 1.0), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(around(0.0, 3.0, 1.0), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(around(1_481.0, 1_519.0, 0.0), [1_480.0, 1_490.0, 1_500.0, 1_510.0, 1_520.0]);
        assert_eq!(around(5.0, 5.0, 1.0), [5.0, 6.0]);
        let within = Scale::within(Unit::Number, -12.0, 47.0, 6.0, 0.0).ticks;
        assert_eq!(within, [-10.0, 0.0, 10.0, 20.0, 30.0, 40.0]);
    }
}
