//! Books: the rows that a batch of matches changes. They are loaded, changed and written. The totals do not depend on the order
//! of matches; what does is in `order.rs`.
//!
//! The writer of a book holds the lock of the projection, so rows can be replaced or added to without further checks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{matches::Unrated, seat::Seat, time::Timestamp};
use store::{
    Connection,
    statistics::{MatchResult, PlayerResult, Projection},
};
use uuid::Uuid;

use super::{
    board::{self, Change, Entry},
    cell::Cell,
    period,
    record::Record,
    tally::Player,
};
use crate::error::Result;

mod load;
mod order;
mod write;

pub(super) use load::{read_cell, unreadable};
pub(super) use order::STRETCH;

/// All games together, among the games of a player.
pub(super) const ALL_GAMES: &str = "";

/// Game, number of seats, version of the rules, whether bots played, day.
type DayKey = (&'static str, u8, u16, bool, i32);
/// Game, period, number of seats, version of the rules, whether bots played.
type CellKey = (&'static str, String, u8, u16, bool);

/// A row in memory, and whether it has to be written.
#[derive(Debug, Default)]
struct Cached<T> {
    row: T,
    changed: bool,
}

/// The change of a player's rating by a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingChange {
    /// The seat.
    pub seat: Seat,
    /// The player.
    pub player: Uuid,
    /// The rating before.
    pub rating_before: f64,
    /// The uncertainty before.
    pub uncertainty_before: f64,
    /// The rating after.
    pub rating: f64,
    /// The uncertainty after.
    pub uncertainty: f64,
}

/// The rows of one generation that are in memory.
#[derive(Debug, Default)]
pub(super) struct Book {
    generation: i64,
    /// How many matches have been counted.
    pub(super) counted: i64,
    /// Whether all rows of the generation are in memory.
    complete: bool,
    /// New counts that have not been added to their cells yet.
    new_counts: HashMap<DayKey, Cell>,
    cells: HashMap<CellKey, Cached<Cell>>,
    players: HashMap<(Uuid, &'static str), Cached<Player>>,
    boards: HashMap<(String, Uuid), Cached<Option<Entry>>>,
    ranks: BTreeMap<(String, i16, i64), i64>,
    days: BTreeMap<(Uuid, i32, &'static str), [i64; 2]>,
    pairs: BTreeMap<(Uuid, Uuid, &'static str), [i64; 5]>,
    results: Vec<MatchResult>,
    new_results: Vec<PlayerResult>,
    changed_results: Vec<PlayerResult>,
    /// When the last match with results ended; unknown until it is looked up. `i64::MIN` if there is none.
    last_end: Option<i64>,
    /// Results from this time on have not been worked out.
    unsettled_since: Option<i64>,
    /// Whether this batch has moved the beginning of the unsettled results back.
    is_set_back: bool,
    /// About how many results are settled at once.
    stretch: u64,
    /// Whether results that come late are always settled later.
    postpones: bool,
}

impl Book {
    /// A book of a generation that has rows in the store.
    pub(super) fn open(current: &Projection, stretch: u64) -> Self {
        let Projection { generation, counted, unsettled_since, .. } = *current;
        Self { generation, counted, unsettled_since, stretch, ..Self::default() }
    }

    /// A book of a new generation.
    pub(super) fn blank(generation: i64) -> Self {
        Self {
            generation,
            complete: true,
            last_end: Some(i64::MIN),
            stretch: STRETCH,
            postpones: true,
            ..Self::default()
        }
    }

    /// The generation of the rows.
    pub(super) const fn generation(&self) -> i64 {
        self.generation
    }

    /// The number of rows to append.
    pub(super) fn appended(&self) -> usize {
        self.results.len() + self.new_results.len() + self.days.len() + self.pairs.len()
    }

    /// The number of cached rows; cells count more, because they are larger.
    pub(super) fn cached(&self) -> usize {
        self.players.len() + self.boards.len() + 16 * (self.cells.len() + self.new_counts.len())
    }

    /// Counts matches, which may be in any order.
    pub(super) async fn count(
        &mut self,
        db: &impl Connection,
        mut records: Vec<Record>,
    ) -> Result<()> {
        records.sort_unstable_by_key(|record| (record.ended_at, record.match_id));
        self.load(db, &records).await?;
        let results = records.iter().flat_map(|record| self.results_of(record)).collect();
        for record in &records {
            self.add(record);
        }
        self.add_results(db, results).await
    }

    /// Since when results have not been worked out.
    pub(super) const fn unsettled_since(&self) -> Option<i64> {
        self.unsettled_since
    }

    /// Adds a match to the totals.
    fn add(&mut self, record: &Record) {
        self.counted += 1;
        self.results.push(MatchResult {
            generation: self.generation,
            match_id: record.match_id,
            unrated_because: record.unrated.map(|reason| reason.id().to_owned()),
        });
        // The first part of a fork was counted with the match that it was forked from.
        if record.unrated == Some(Unrated::Fork) {
            return;
        }
        let day = period::day_of(record.ended_at);
        let key = (record.key(), record.seats, record.rules_version, record.bots, day);
        self.new_counts.entry(key).or_default().add(record);
        if !record.counts_for_players() {
            return;
        }
        for result in record.results() {
            for game in [ALL_GAMES, record.key()] {
                let player = self.players.entry((result.player, game)).or_default();
                player.changed = true;
                player.row.tally.add(record, &result);
                if game != ALL_GAMES {
                    player.row.tally.add_measures(record, &result);
                }
            }
            let [matches, won] = self.days.entry((result.player, day, record.key())).or_default();
            *matches += 1;
            *won += i64::from(result.standing.won);
            for (kind, change) in board::changes(record, &result) {
                self.change_boards(record.key(), record.ended_at, kind, result.player, change);
            }
        }
        self.count_pairs(record);
    }

    /// Changes the entries of a player on the boards of a kind, one per period.
    fn change_boards(
        &mut self,
        game: &'static str,
        ended_at: Timestamp,
        kind: &str,
        player: Uuid,
        change: Change,
    ) {
        for period in board::periods(ended_at) {
            let board = board::name(game, kind, &period);
            let cached = self.boards.entry((board.clone(), player)).or_default();
            let old = cached.row.map(|entry| entry.score);
            let Some(entry) = change.apply(cached.row, ended_at) else { continue };
            let score = entry.score;
            cached.row = Some(entry);
            cached.changed = true;
            if old == Some(score) {
                continue;
            }
            for (level, bucket) in board::buckets(score) {
                *self.ranks.entry((board.clone(), level, bucket)).or_default() += 1;
            }
            for (level, bucket) in old.into_iter().flat_map(board::buckets) {
                *self.ranks.entry((board.clone(), level, bucket)).or_default() -= 1;
            }
        }
    }

    /// Counts a meeting of every pair of players.
    fn count_pairs(&mut self, record: &Record) {
        let mut seats: Vec<_> =
            record.results().map(|result| (result.player, result.standing)).collect();
        seats.sort_unstable_by_key(|(player, _)| *player);
        for (index, (one, mine)) in seats.iter().enumerate() {
            for (two, theirs) in &seats[index + 1..] {
                let counts = self.pairs.entry((*one, *two, record.key())).or_default();
                counts[0] += 1;
                counts[1] += i64::from(mine.place < theirs.place);
                counts[2] += i64::from(theirs.place < mine.place);
                counts[3] += i64::from(mine.won);
                counts[4] += i64::from(theirs.won);
            }
        }
    }

    /// Adds the new counts to the cells of all periods that they belong to.
    async fn add_to_cells(&mut self, db: &impl Connection) -> Result<()> {
        let new: Vec<(DayKey, Cell)> = std::mem::take(&mut self.new_counts).into_iter().collect();
        let keys: BTreeSet<CellKey> = new.iter().flat_map(|(key, _)| cell_keys(key)).collect();
        self.load_cells(db, keys).await?;
        for (key, counts) in new {
            for key in cell_keys(&key) {
                let cell = self.cells.entry(key).or_default();
                cell.row.merge(&counts);
                cell.changed = true;
            }
        }
        Ok(())
    }

    /// Writes what has changed.
    pub(super) async fn write(&mut self, db: &impl Connection) -> Result<()> {
        self.add_to_cells(db).await?;
        self.write_appended(db).await?;
        self.write_replaced(db).await
    }

    /// Drops the cached rows, which must have been written.
    pub(super) fn clear_cache(&mut self) {
        self.complete = false;
        self.cells = HashMap::new();
        self.players = HashMap::new();
        self.boards = HashMap::new();
    }
}

/// The cells that a day of a game counts in: its own seats and version of the rules, and all of them.
fn cell_keys((game, seats, version, bots, day): &DayKey) -> impl Iterator<Item = CellKey> + use<> {
    let (game, seats, version, bots) = (*game, *seats, *version, *bots);
    period::names(*day).into_iter().flat_map(move |period| {
        [(game, period.clone(), seats, version, bots), (game, period, 0, 0, bots)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::board::tests::tapestry;

    #[test]
    fn a_private_match_counts_in_the_totals_of_its_game_only() {
        let mut book = Book::default();
        let unrated = Some(Unrated::Private);
        book.add(&Record { unrated, public: false, ..tapestry(None, true, 1) });
        assert_eq!((book.results.len(), book.new_counts.len()), (1, 1));
        assert!(book.players.is_empty() && book.boards.is_empty());
        assert!(book.days.is_empty() && book.pairs.is_empty());
    }

    #[test]
    fn a_match_with_bots_counts_in_totals_of_its_own_and_not_for_players() {
        let mut book = Book::default();
        let unrated = Some(Unrated::Bot);
        book.add(&Record { unrated, bots: true, ..tapestry(None, true, 1) });
        book.add(&tapestry(None, true, 1));
        let bots: Vec<bool> = book.new_counts.keys().map(|key| key.3).collect();
        assert!(bots.contains(&true) && bots.contains(&false), "{bots:?}");
        assert_eq!(book.players.values().map(|cached| cached.row.tally.played).max(), Some(1));
    }

    #[test]
    fn a_fork_has_a_result_but_is_not_counted() {
        let mut book = Book::default();
        book.add(&Record { unrated: Some(Unrated::Fork), ..tapestry(None, true, 1) });
        assert_eq!((book.results.len(), book.new_counts.len(), book.players.len()), (1, 0, 0));
        book.add(&tapestry(None, true, 1));
        assert_eq!((book.results.len(), book.new_counts.len(), book.players.len()), (2, 1, 2));
    }
}
