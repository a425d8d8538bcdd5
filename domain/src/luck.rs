//! How lucky a seat was: what it got by chance, compared with what it could expect.
//!
//! A game assigns a value to every random outcome. Right before the draw, that value has a mean and a variance. In the long
//! run the differences between values and means add up to zero, however anyone plays. See docs/luck.md.

use crate::{outcome::Best, seat::Seat, text::Text};

/// A figure of luck that a game declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LuckInfo {
    /// Stable id.
    pub id: &'static str,
    /// Name for people.
    pub label: Text,
    /// What is measured, and when.
    pub description: Text,
    /// Which values are lucky, if any.
    pub better: Option<Best>,
}

impl LuckInfo {
    /// A figure for which higher is luckier.
    #[must_use]
    pub const fn new(id: &'static str, label: Text, description: Text) -> Self {
        Self { id, label, description, better: Some(Best::Highest) }
    }

    /// The same figure, but neither higher nor lower is luckier.
    #[must_use]
    pub const fn neutral(self) -> Self {
        Self { better: None, ..self }
    }
}

/// The distribution of a value before it is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Odds {
    /// Its mean.
    pub mean: f64,
    /// Its variance.
    pub variance: f64,
}

impl Odds {
    /// The odds of equally likely values.
    pub fn even<T: Into<f64>>(values: impl IntoIterator<Item = T>) -> Self {
        Self::weighted(values.into_iter().map(|value| (1.0, value)))
    }

    /// The odds of weighted values. The weights need not add up to 1.
    pub fn weighted<T: Into<f64>>(values: impl IntoIterator<Item = (f64, T)>) -> Self {
        // Updated value by value, because the square of the mean may be large compared with the variance.
        let mut odds = Self { mean: 0.0, variance: 0.0 };
        let mut weights = 0.0;
        for (weight, value) in values {
            if weight > 0.0 {
                let before = value.into() - odds.mean;
                weights += weight;
                odds.mean += before * weight / weights;
                let share = weight / weights;
                odds.variance = (1.0 - share) * (odds.variance + share * before * before);
            }
        }
        odds
    }
}

/// One luck figure of one seat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Luck {
    /// The figure.
    pub info: &'static LuckInfo,
    /// The number of draws.
    pub count: u32,
    /// The sum of the values.
    pub observed: f64,
    /// The sum of the means.
    pub expected: f64,
    /// The sum of the variances.
    pub variance: f64,
}

impl Luck {
    const fn none(info: &'static LuckInfo) -> Self {
        Self { info, count: 0, observed: 0.0, expected: 0.0, variance: 0.0 }
    }

    /// The standard deviation of the sum.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.variance.sqrt()
    }

    /// The difference from the expectation in standard deviations; 0 if nothing was left to chance.
    #[must_use]
    pub fn z(&self) -> f64 {
        let deviation = self.deviation();
        if deviation > 0.0 { (self.observed - self.expected) / deviation } else { 0.0 }
    }
}

/// Adds up the luck of every seat.
#[derive(Debug, Clone, PartialEq)]
pub struct Ledger {
    seats: Vec<Vec<Luck>>,
}

impl Ledger {
    /// An empty ledger for the declared figures of a game.
    #[must_use]
    pub fn new(seats: u8, declared: &'static [LuckInfo]) -> Self {
        Self { seats: vec![declared.iter().map(Luck::none).collect(); seats.into()] }
    }

    /// Adds a value that a seat got by chance, and its odds.
    pub fn add(&mut self, seat: Seat, figure: &LuckInfo, observed: impl Into<f64>, odds: Odds) {
        let figures = self.seats.get_mut(seat.index());
        let luck = figures.and_then(|all| all.iter_mut().find(|luck| luck.info.id == figure.id));
        debug_assert!(luck.is_some(), "{} of {seat} is not declared", figure.id);
        if let Some(luck) = luck {
            luck.count += 1;
            luck.observed += observed.into();
            luck.expected += odds.mean;
            luck.variance += odds.variance;
        }
    }

    /// The figures of a seat, in declared order.
    #[must_use]
    pub fn of(&self, seat: Seat) -> &[Luck] {
        self.seats.get(seat.index()).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static COINS: [LuckInfo; 1] =
        [LuckInfo::new("coins", Text::new("Coins", "Monedas"), Text::new("Heads", "Caras"))];

    #[track_caller]
    fn close(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-12, "{one} is not {other}");
    }

    #[test]
    fn a_die_has_a_mean_of_three_and_a_half() {
        let die = Odds::even([1, 2, 3, 4, 5, 6]);
        close(die.mean, 3.5);
        close(die.variance, 35.0 / 12.0);
    }

    #[test]
    fn weights_need_not_add_up_to_one() {
        // One of two in six: mean 1/3, variance 1/3 · 2/3.
        let odds = Odds::weighted([(0.0, 9), (2.0, 1), (4.0, 0)]);
        close(odds.mean, 1.0 / 3.0);
        close(odds.variance, 2.0 / 9.0);
    }

    #[test]
    fn what_is_certain_is_no_luck() {
        let mut ledger = Ledger::new(1, &COINS);
        ledger.add(Seat::FIRST, &COINS[0], 1, Odds::even([1, 1]));
        let luck = ledger.of(Seat::FIRST)[0];
        assert_eq!((luck.count, luck.observed, luck.expected), (1, 1.0, 1.0));
        assert_eq!((luck.deviation(), luck.z()), (0.0, 0.0));
    }

    #[test]
    fn luck_adds_up_seat_by_seat() {
        let mut ledger = Ledger::new(2, &COINS);
        for heads in [1, 1, 1, 0] {
            ledger.add(Seat::at::<1>(), &COINS[0], heads, Odds::even([0, 1]));
        }
        assert_eq!(ledger.of(Seat::FIRST)[0].count, 0);
        let luck = ledger.of(Seat::at::<1>())[0];
        assert_eq!((luck.count, luck.observed, luck.expected, luck.variance), (4, 3.0, 2.0, 1.0));
        close(luck.z(), 1.0);
    }
}
