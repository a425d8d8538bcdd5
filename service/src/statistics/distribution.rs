//! Distributions: how often each value occurred. They can be added up.

use std::collections::BTreeMap;

use domain::outcome::Unit;
use serde::{Deserialize, Serialize};

/// How finely values are told apart: by this many leading binary digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grain(u32);

impl Grain {
    /// Every integer from -4,095 to 4,095 has its own bucket; beyond that, values that differ by less than one part in 2,048
    /// may share one.
    pub const FINE: Self = Self(12);
    /// Values that differ by less than one part in 16 may share a bucket.
    pub const COARSE: Self = Self(5);

    /// The grain of a measure: durations are coarse, everything else is fine.
    #[must_use]
    pub const fn of(unit: Unit) -> Self {
        match unit {
            Unit::Milliseconds => Self::COARSE,
            Unit::Count | Unit::Points | Unit::Category(_) => Self::FINE,
        }
    }

    /// The bucket of a value, named by its value nearest to zero.
    #[must_use]
    pub const fn bucket(self, value: i64) -> i64 {
        let shift = self.shift(value);
        let leading = (value.unsigned_abs() >> shift) << shift;
        if value < 0 { 0_i64.wrapping_sub_unsigned(leading) } else { leading.cast_signed() }
    }

    /// The smallest and the largest value of a bucket.
    #[must_use]
    pub const fn range(self, bucket: i64) -> (i64, i64) {
        let width = (1_i64 << self.shift(bucket)) - 1;
        if bucket < 0 {
            (bucket.saturating_sub(width), bucket)
        } else {
            (bucket, bucket.saturating_add(width))
        }
    }

    const fn shift(self, value: i64) -> u32 {
        (u64::BITS - value.unsigned_abs().leading_zeros()).saturating_sub(self.0)
    }
}

/// Values and how often they occurred.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distribution {
    /// The number of values.
    pub count: u64,
    /// Their sum, exactly.
    pub sum: i64,
    /// The smallest, exactly.
    pub min: i64,
    /// The largest, exactly.
    pub max: i64,
    /// The number of values in each bucket.
    pub values: BTreeMap<i64, u64>,
}

impl Distribution {
    /// Adds a value.
    pub fn add(&mut self, value: i64, grain: Grain) {
        self.min = if self.count == 0 { value } else { self.min.min(value) };
        self.max = if self.count == 0 { value } else { self.max.max(value) };
        self.count += 1;
        self.sum = self.sum.saturating_add(value);
        *self.values.entry(grain.bucket(value)).or_default() += 1;
    }

    /// Adds the values of another distribution.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.min = if self.count == 0 { other.min } else { self.min.min(other.min) };
        self.max = if self.count == 0 { other.max } else { self.max.max(other.max) };
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        for (value, count) in &other.values {
            *self.values.entry(*value).or_default() += count;
        }
    }

    /// The mean, if there are any values.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        mean(self.sum, self.count)
    }

    /// A quantile, in hundredths: the smallest value that at least this share of all values do not exceed. If several values
    /// share its bucket, it is the middle of the bucket.
    #[must_use]
    pub fn quantile(&self, hundredths: u64, grain: Grain) -> Option<i64> {
        let wanted = (self.count * hundredths).div_ceil(100).max(1);
        let mut seen = 0;
        let (bucket, _) = self.values.iter().find(|(_, count)| {
            seen += **count;
            seen >= wanted
        })?;
        let (low, high) = grain.range(*bucket);
        Some(low.midpoint(high).clamp(self.min, self.max))
    }
}

/// A mean, if there are any values.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a mean for people")]
pub fn mean(sum: i64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_have_buckets_of_their_own_and_long_times_share_them() {
        for value in -4_095..=4_095 {
            assert_eq!(Grain::FINE.bucket(value), value);
            assert_eq!(Grain::FINE.range(value), (value, value));
        }
        for value in [1, 31, 32, 33, 1_000, 61_001, 86_400_000, i64::MAX, -77_777, i64::MIN] {
            let bucket = Grain::COARSE.bucket(value);
            let (low, high) = Grain::COARSE.range(bucket);
            assert!(low <= value && value <= high, "{low} {value} {high}");
            assert_eq!(Grain::COARSE.bucket(low), bucket);
            assert_eq!(Grain::COARSE.bucket(high), bucket);
            assert!(high.saturating_sub(low) <= (value / 16).saturating_abs());
        }
    }

    #[test]
    fn quantiles_are_values_that_a_share_of_all_values_does_not_exceed() {
        let mut distribution = Distribution::default();
        for value in [5, 1, 4, 2, 3] {
            distribution.add(value, Grain::FINE);
        }
        let quantile = |hundredths| distribution.quantile(hundredths, Grain::FINE);
        assert_eq!([5, 25, 50, 75, 95].map(quantile), [1, 2, 3, 4, 5].map(Some));
        assert_eq!(distribution.mean(), Some(3.0));
        assert_eq!(Distribution::default().quantile(50, Grain::FINE), None);
    }
}
