//! Cells: the counts of a game in one period. Cells can be added up.

use std::collections::BTreeMap;

use domain::{
    bot::BotLevel,
    outcome::{MeasureInfo, MeasureValue, Measured, Unit},
};
use serde::{Deserialize, Serialize};

use super::{
    distribution::{Distribution, Grain},
    record::Record,
    sketch::Sketch,
};

/// The measure that every match has: how long it took.
pub const DURATION: &str = "duration_ms";
/// The measure that every seat with a score has.
pub const SCORE: &str = "score";

/// Counts of a game in some period.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Matches that were played, to the end or until all but one resigned.
    pub matches: u64,
    /// Matches of these that ended by resignation.
    pub resigned: u64,
    /// Matches of these whose win was shared.
    pub shared: u64,
    /// Matches that everybody left before they started; in none of the other numbers.
    pub abandoned: u64,
    /// Wins by seat, for each number of seats.
    #[serde(rename = "tables")]
    pub seat_wins: BTreeMap<u8, SeatWins>,
    /// Matches by version of the rules.
    pub versions: BTreeMap<u16, u64>,
    /// Measures that are numbers, score and duration among them.
    pub numbers: BTreeMap<String, Distribution>,
    /// Measures that are categories.
    pub categories: BTreeMap<String, BTreeMap<String, u64>>,
    /// Lines of the score breakdown.
    pub lines: BTreeMap<String, Distribution>,
    /// The players, as a sketch.
    #[serde(skip)]
    pub players: Sketch,
}

/// Wins by seat, in matches with the same number of seats.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatWins {
    /// Matches that were played.
    pub matches: u64,
    /// How often each seat won alone.
    pub won: Vec<u64>,
    /// How often each seat shared the win.
    pub shared: Vec<u64>,
}

fn entry<'a, T: Default>(map: &'a mut BTreeMap<String, T>, key: &str) -> &'a mut T {
    map.entry(key.to_owned()).or_default()
}

impl Cell {
    /// Counts a match.
    pub fn add(&mut self, record: &Record) {
        let Some(outcome) = &record.outcome else {
            self.abandoned += 1;
            return;
        };
        let shared = record.is_shared();
        self.matches += 1;
        self.resigned += u64::from(!record.is_complete());
        self.shared += u64::from(shared);
        *self.versions.entry(record.rules_version).or_default() += 1;
        let wins = self.seat_wins.entry(record.seats).or_default();
        wins.matches += 1;
        wins.won.resize(record.seats.into(), 0);
        wins.shared.resize(record.seats.into(), 0);
        for result in record.results() {
            if BotLevel::of(result.player).is_none() {
                self.players.add(result.player);
            }
            let wins = if shared { &mut wins.shared } else { &mut wins.won };
            wins[result.seat.index()] += u64::from(result.standing.won);
        }
        if record.is_complete() {
            entry(&mut self.numbers, DURATION).add(record.duration(), Grain::COARSE);
            for (info, measured) in record.declared(&outcome.measures) {
                self.measure(info, measured);
            }
        }
        for result in record.results().filter(|result| record.is_measured(result.seat)) {
            if let Some(score) = result.standing.score {
                entry(&mut self.numbers, SCORE).add(score, Grain::FINE);
            }
            for line in &result.standing.breakdown {
                entry(&mut self.lines, &line.id).add(line.points, Grain::FINE);
            }
            for (info, measured) in record.declared(&result.standing.measures) {
                self.measure(info, measured);
            }
        }
    }

    fn measure(&mut self, info: &MeasureInfo, measured: &Measured) {
        match (&measured.value, info.unit) {
            (MeasureValue::Category(category), Unit::Category(_)) => {
                *entry(entry(&mut self.categories, info.id), category) += 1;
            }
            (MeasureValue::Number(number), unit) => {
                entry(&mut self.numbers, info.id).add(*number, Grain::of(unit));
            }
            (MeasureValue::Category(_), _) => {}
        }
    }

    /// Adds the counts of another cell.
    pub fn merge(&mut self, other: &Self) {
        self.matches += other.matches;
        self.resigned += other.resigned;
        self.shared += other.shared;
        self.abandoned += other.abandoned;
        for (seats, theirs) in &other.seat_wins {
            let wins = self.seat_wins.entry(*seats).or_default();
            wins.matches += theirs.matches;
            add_all(&mut wins.won, &theirs.won);
            add_all(&mut wins.shared, &theirs.shared);
        }
        for (version, matches) in &other.versions {
            *self.versions.entry(*version).or_default() += matches;
        }
        for (id, distribution) in &other.numbers {
            entry(&mut self.numbers, id).merge(distribution);
        }
        for (id, distribution) in &other.lines {
            entry(&mut self.lines, id).merge(distribution);
        }
        for (id, categories) in &other.categories {
            let mine = entry(&mut self.categories, id);
            for (category, count) in categories {
                *entry(mine, category) += count;
            }
        }
        self.players.merge(&other.players);
    }
}

fn add_all(mine: &mut Vec<u64>, theirs: &[u64]) {
    mine.resize(mine.len().max(theirs.len()), 0);
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine += theirs;
    }
}
