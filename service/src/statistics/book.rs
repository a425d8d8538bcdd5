//! Books: the rows that a batch of matches changes. They are loaded, changed in the order of the matches, and written.
//!
//! The writer of a book holds the lock of the projection, so rows can be replaced or added to without further checks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{matches::Unrated, seat::Seat, time::Timestamp};
use store::{
    Connection,
    statistics::{MatchResult, RatedMatch},
};
use uuid::Uuid;

use super::{
    board::{self, Change},
    cell::Cell,
    period,
    rating::{self, Rating},
    record::Record,
    tally::Player,
};
use crate::error::Result;

mod load;
mod write;

pub(super) use load::{read_cell, unreadable};

/// All games together, among the games of a player.
pub(super) const ALL_GAMES: &str = "";

/// Game, number of seats, version of the rules, day.
type DayKey = (&'static str, u8, u16, i32);
/// Game, period, number of seats, version of the rules.
type CellKey = (&'static str, String, u8, u16);

/// A row in memory, and whether it has to be written.
#[derive(Debug, Default)]
struct Cached<T> {
    row: T,
    changed: bool,
}

/// A player's entry on a board.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Entry {
    score: i64,
    at: Timestamp,
    rating: Option<Rating>,
}

/// The change of a player's rating by a match.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
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
    rated_matches: Vec<RatedMatch>,
}

impl Book {
    /// A book of a generation that has rows in the store.
    pub(super) fn open(generation: i64, counted: i64) -> Self {
        Self { generation, counted, ..Self::default() }
    }

    /// A book of a new generation.
    pub(super) fn blank(generation: i64) -> Self {
        Self { generation, complete: true, ..Self::default() }
    }

    /// The generation of the rows.
    pub(super) const fn generation(&self) -> i64 {
        self.generation
    }

    /// The number of rows to append.
    pub(super) fn appended(&self) -> usize {
        self.results.len() + self.rated_matches.len() + self.days.len() + self.pairs.len()
    }

    /// The number of cached rows; cells count more, because they are larger.
    pub(super) fn cached(&self) -> usize {
        self.players.len() + self.boards.len() + 16 * (self.cells.len() + self.new_counts.len())
    }

    /// Counts matches, in this order.
    pub(super) async fn count(&mut self, db: &impl Connection, records: &[Record]) -> Result<()> {
        self.load(db, records).await?;
        for record in records {
            self.add(record);
        }
        Ok(())
    }

    fn add(&mut self, record: &Record) {
        self.counted += 1;
        let changes = if record.unrated.is_none() { self.rate(record) } else { Vec::new() };
        self.results.push(MatchResult {
            generation: self.generation,
            match_id: record.match_id,
            number: self.counted,
            unrated_because: record.unrated.map(|reason| reason.id().to_owned()),
            changes: serde_json::to_string(&changes).expect("changes are plain data"),
        });
        // The first part of a fork was counted with the match that it was forked from.
        if record.unrated == Some(Unrated::Fork) {
            return;
        }
        let day = period::day_of(record.ended_at);
        let key = (record.key(), record.seats, record.rules_version, day);
        self.new_counts.entry(key).or_default().add(record);
        // Whatever is shown of a player would tell others that, when and with whom the player plays in private.
        if !record.public {
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
                self.change_boards(record, kind, result.player, change);
            }
        }
        self.count_pairs(record);
    }

    /// Rates the players of a match.
    fn rate(&mut self, record: &Record) -> Vec<RatingChange> {
        let key = record.key();
        let seats: Vec<(Seat, Uuid, u8)> = record
            .results()
            .map(|result| (result.seat, result.player, result.standing.place))
            .collect();
        let before: Vec<(Rating, u8)> = seats
            .iter()
            .map(|(_, player, place)| {
                (self.players.entry((*player, key)).or_default().row.rating, *place)
            })
            .collect();
        let after = rating::rate(&before);
        let mut changes = Vec::with_capacity(seats.len());
        for (((seat, player, place), (before, _)), after) in
            seats.into_iter().zip(before).zip(after)
        {
            let cached = self.players.entry((player, key)).or_default();
            cached.changed = true;
            cached.row.rating = after;
            cached.row.rated += 1;
            self.rated_matches.push(RatedMatch {
                generation: self.generation,
                player_id: player,
                number: self.counted,
                game: key.to_owned(),
                match_id: record.match_id,
                public: record.public,
                at: record.ended_at.micros(),
                place: place.into(),
                seats: record.seats.into(),
                rating_before: before.rating,
                rating: after.rating,
                uncertainty: after.uncertainty,
            });
            self.change_boards(record, board::RATING, player, Change::Rating(after));
            changes.push(RatingChange {
                seat,
                player,
                rating_before: before.rating,
                uncertainty_before: before.uncertainty,
                rating: after.rating,
                uncertainty: after.uncertainty,
            });
        }
        changes
    }

    /// Changes the entries of a player on the boards of a kind, one per period.
    fn change_boards(&mut self, record: &Record, kind: &str, player: Uuid, change: Change) {
        for period in board::periods(record.ended_at) {
            let board = board::name(record.key(), kind, &period);
            let cached = self.boards.entry((board.clone(), player)).or_default();
            let old = cached.row.map(|entry| entry.score);
            let score = match change {
                Change::Increment => old.unwrap_or(0) + 1,
                Change::AtLeast(score) => score,
                Change::Rating(rating) => rating.rank_millis(),
            };
            if matches!(change, Change::AtLeast(_)) && old.is_some_and(|old| old >= score) {
                continue;
            }
            let rating = if let Change::Rating(rating) = change { Some(rating) } else { None };
            cached.row = Some(Entry { score, at: record.ended_at, rating });
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
fn cell_keys((game, seats, version, day): &DayKey) -> impl Iterator<Item = CellKey> + use<> {
    let (game, seats, version) = (*game, *seats, *version);
    period::names(*day)
        .into_iter()
        .flat_map(move |period| [(game, period.clone(), seats, version), (game, period, 0, 0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::board::tests::tapestry;

    #[test]
    fn a_private_match_counts_in_the_totals_of_its_game_only() {
        let mut book = Book::open(0, 0);
        let unrated = Some(Unrated::Private);
        book.add(&Record { unrated, public: false, ..tapestry(None, true, 1) });
        assert_eq!((book.results.len(), book.new_counts.len()), (1, 1));
        assert!(book.players.is_empty() && book.boards.is_empty() && book.rated_matches.is_empty());
        assert!(book.days.is_empty() && book.pairs.is_empty());
    }

    #[test]
    fn a_fork_has_a_result_but_is_not_counted() {
        let mut book = Book::open(0, 0);
        book.add(&Record { unrated: Some(Unrated::Fork), ..tapestry(None, true, 1) });
        assert_eq!((book.results.len(), book.new_counts.len(), book.players.len()), (1, 0, 0));
        book.add(&tapestry(None, true, 1));
        assert_eq!((book.results.len(), book.new_counts.len(), book.players.len()), (2, 1, 2));
    }
}
