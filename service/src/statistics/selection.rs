//! Which matches of a game are counted, and their counts.

use std::collections::BTreeMap;

use store::statistics::CellFilter;
use time::Date;

use super::{
    cell::Cell,
    period::{ALL, Bucket, cover, parse},
    read::{Statistics, read_cells},
};
use crate::{bulkheads::Turn, error::Result};

/// The most points that a series may have.
const POINTS: usize = 400;
/// The most rows that are read.
const ROWS: u64 = 4_000;

/// The counts of a day, week or month, by its first day and the day after its last.
pub type Points = BTreeMap<(Date, Date), Cell>;

/// Which matches of a game are counted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Selection {
    /// Only those that ended on this day or later.
    pub since: Option<Date>,
    /// Only those that ended before this day.
    pub until: Option<Date>,
    /// Only those with this many seats.
    pub seats: Option<u8>,
    /// Only those under this version of the rules.
    pub rules_version: Option<u16>,
    /// Only those with bots, or only those without.
    pub bots: Option<bool>,
    /// The buckets of the series, if there is to be one.
    pub bucket: Option<Bucket>,
}

/// The counts of the selected matches.
#[derive(Debug)]
pub struct Counts {
    /// All of them together.
    pub total: Cell,
    /// The series, if one was selected.
    pub points: Option<Points>,
    /// Whether the series is complete. It is not if it would have more than 400 points.
    pub is_complete: bool,
}

impl Statistics {
    /// The counts of the selected matches of a game. There may be thousands of cells, so this takes a turn.
    pub async fn count(&self, game: &str, selection: &Selection, turn: &Turn) -> Result<Counts> {
        let selection = *selection;
        let Selection { since, until, seats, rules_version, bots, bucket } = selection;
        let ranges = match (bucket, since, until) {
            (None, None, None) => all_time(),
            (bucket, since, until) => cover(bucket.unwrap_or(Bucket::Month), since, until),
        };
        let rows =
            self.rows(game, &ranges, CellFilter { seats, rules_version, bots }, ROWS).await?;
        turn.work(move || Ok(add_up(&read_cells(&rows)?, &selection))).await?
    }

    /// The counts of all matches of a game.
    pub async fn count_all(&self, game: &str) -> Result<Cell> {
        // One with bots and one without.
        let rows = self.rows(game, &all_time(), CellFilter::default(), 2).await?;
        let mut total = Cell::default();
        for (_, cell) in &read_cells(&rows)? {
            total.merge(cell);
        }
        Ok(total)
    }
}

fn add_up(cells: &[(String, Cell)], selection: &Selection) -> Counts {
    let Selection { since, until, bucket, .. } = *selection;
    let points = bucket.map(|bucket| points(cells, bucket, since, until));
    let is_complete =
        points.as_ref().is_none_or(|points| points.len() <= POINTS && (cells.len() as u64) < ROWS);
    let mut total = Cell::default();
    for (_, cell) in cells {
        total.merge(cell);
    }
    Counts { total, points, is_complete }
}

/// The range of names that contains only the cell of all time.
fn all_time() -> Vec<(String, String)> {
    vec![(ALL.to_owned(), "b".to_owned())]
}

/// Merges cells into the points of a series. The first and the last point are cut by `since` and `until`.
fn points(
    cells: &[(String, Cell)],
    bucket: Bucket,
    since: Option<Date>,
    until: Option<Date>,
) -> Points {
    let mut points = Points::new();
    for (name, cell) in cells {
        let Some((_, day)) = parse(name) else { continue };
        let start = bucket.start(day);
        let end = bucket.next(start);
        let first = since.map_or(start, |since| start.max(since));
        let last = until.map_or(end, |until| end.min(until));
        points.entry((first, last)).or_default().merge(cell);
    }
    points
}
