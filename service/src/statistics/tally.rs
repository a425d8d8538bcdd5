//! Tallies: the counts of a player, in one game or in all.

use std::collections::BTreeMap;

use domain::outcome::{MeasureInfo, MeasureValue, Measured, Unit};
use serde::{Deserialize, Serialize};

use super::{
    distribution::{Distribution, Grain, mean},
    rating::Rating,
    record::{Record, SeatResult},
};

/// Counts of a player.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Matches that were played: won, shared and lost ones.
    pub played: u64,
    /// Won alone.
    pub won: u64,
    /// Won together with others.
    pub shared: u64,
    /// Not won.
    pub lost: u64,
    /// Lost ones that the player gave up.
    pub abandoned: u64,
    /// Wins (shared ones too) in a row until now.
    pub streak: u64,
    /// The most wins in a row.
    pub longest_streak: u64,
    /// When the first match ended, in microseconds.
    pub first_at: i64,
    /// When the last match ended, in microseconds.
    pub last_at: i64,
    /// The scores; none for all games together.
    pub score: Distribution,
    /// Measures that are numbers; none for all games together.
    pub numbers: BTreeMap<String, Numbers>,
    /// Measures that are categories; none for all games together.
    pub categories: BTreeMap<String, BTreeMap<String, u64>>,
}

/// A summary of numbers, without how often each one occurred.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// The number of values.
    pub count: u64,
    /// Their sum.
    pub sum: i64,
    /// The smallest.
    pub min: i64,
    /// The largest.
    pub max: i64,
}

impl Numbers {
    fn add(&mut self, value: i64) {
        self.min = if self.count == 0 { value } else { self.min.min(value) };
        self.max = if self.count == 0 { value } else { self.max.max(value) };
        self.count += 1;
        self.sum = self.sum.saturating_add(value);
    }

    /// The mean, if there are any numbers.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        mean(self.sum, self.count)
    }
}

/// The tally and the rating of a player, in one game or in all.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Player {
    pub(super) tally: Tally,
    pub(super) rating: Rating,
    pub(super) rated: i64,
}

impl Tally {
    /// Counts a match; streaks are separate, because they depend on the order of matches.
    pub(super) fn add(&mut self, record: &Record, result: &SeatResult<'_>) {
        let at = record.ended_at.micros();
        self.first_at = if self.played == 0 { at } else { self.first_at.min(at) };
        self.last_at = self.last_at.max(at);
        self.played += 1;
        match (result.standing.won, record.is_shared()) {
            (true, false) => self.won += 1,
            (true, true) => self.shared += 1,
            (false, _) => self.lost += 1,
        }
        self.abandoned += u64::from(record.resigned.contains(result.seat));
    }

    /// Counts the measures of a match.
    pub(super) fn add_measures(&mut self, record: &Record, result: &SeatResult<'_>) {
        if !record.is_measured(result.seat) {
            return;
        }
        if let Some(score) = result.standing.score {
            self.score.add(score, Grain::FINE);
        }
        for (info, measured) in record.declared(&result.standing.measures) {
            self.measure(info, measured);
        }
    }

    fn measure(&mut self, info: &MeasureInfo, measured: &Measured) {
        match (&measured.value, info.unit) {
            (MeasureValue::Category(category), Unit::Category(_)) => {
                let categories = self.categories.entry(info.id.to_owned()).or_default();
                *categories.entry(category.clone().into_owned()).or_default() += 1;
            }
            (MeasureValue::Number(number), _) => {
                self.numbers.entry(info.id.to_owned()).or_default().add(*number);
            }
            (MeasureValue::Category(_), _) => {}
        }
    }
}
