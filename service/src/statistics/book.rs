//! The rows that matches change, in memory: loaded, changed in the order of the matches, written.
//!
//! Whoever writes a book holds the lock of its projection, so rows are written as they are, or added to.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{matches::Unrated, seat::Seat, time::Timestamp};
use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use super::{
    board::{self, Change},
    cell::Cell,
    period,
    rating::{self, Rating},
    record::Record,
    tally::Player,
};
use store::entities::{match_result, rated_match};

mod load;
mod write;

pub(super) use load::{read_cell, unreadable};

/// All games together, among the games of a player.
pub(super) const ALL_GAMES: &str = "";

/// Game, number of seats, version of the rules, day.
type DayKey = (&'static str, u8, u16, i32);
/// Game, period, number of seats, version of the rules.
type CellKey = (&'static str, String, u8, u16);

/// A row that may have to be written.
#[derive(Debug, Default)]
struct Kept<T> {
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

/// What a match did to the rating of a player.
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

/// Rows in memory.
#[derive(Debug, Default)]
pub(super) struct Book {
    generation: i64,
    /// How many matches have been counted.
    pub(super) counted: i64,
    /// Whether the store holds nothing that is not here.
    whole: bool,
    fresh: HashMap<DayKey, Cell>,
    cells: HashMap<CellKey, Kept<Cell>>,
    players: HashMap<(Uuid, &'static str), Kept<Player>>,
    boards: HashMap<(String, Uuid), Kept<Option<Entry>>>,
    ranks: BTreeMap<(String, i16, i64), i64>,
    days: BTreeMap<(Uuid, i32, &'static str), [i64; 2]>,
    pairs: BTreeMap<(Uuid, Uuid, &'static str), [i64; 5]>,
    results: Vec<match_result::Model>,
    history: Vec<rated_match::Model>,
}

impl Book {
    /// The book of a generation of which the store may hold rows.
    pub(super) fn open(generation: i64, counted: i64) -> Self {
        Self { generation, counted, ..Self::default() }
    }

    /// The book of a new generation.
    pub(super) fn blank(generation: i64) -> Self {
        Self { generation, whole: true, ..Self::default() }
    }

    /// Whose rows they are.
    pub(super) const fn generation(&self) -> i64 {
        self.generation
    }

    /// How many rows wait to be added.
    pub(super) fn waiting(&self) -> usize {
        self.results.len() + self.history.len() + self.days.len() + self.pairs.len()
    }

    /// How many rows are kept because they may change again.
    pub(super) fn kept(&self) -> usize {
        self.players.len() + self.boards.len() + 16 * (self.cells.len() + self.fresh.len())
    }

    /// Takes matches in, in this order.
    pub(super) async fn count(
        &mut self,
        db: &impl ConnectionTrait,
        records: &[Record],
    ) -> Result<(), DbErr> {
        self.load(db, records).await?;
        for record in records {
            self.add(record);
        }
        Ok(())
    }

    fn add(&mut self, record: &Record) {
        self.counted += 1;
        let changes = if record.unrated.is_none() { self.rate(record) } else { Vec::new() };
        self.results.push(match_result::Model {
            generation: self.generation,
            match_id: record.match_id,
            number: self.counted,
            unrated_because: record.unrated.map(|reason| reason.id().to_owned()),
            changes: serde_json::to_string(&changes).unwrap_or_default(),
        });
        // Half of what happened in a fork was counted with the match that it comes from.
        if record.unrated == Some(Unrated::Fork) {
            return;
        }
        let day = period::day_of(record.ended_at);
        let key = (record.key(), record.seats, record.rules_version, day);
        self.fresh.entry(key).or_default().add(record);
        for played in record.played() {
            for game in [ALL_GAMES, record.key()] {
                let player = self.players.entry((played.player, game)).or_default();
                player.changed = true;
                player.row.tally.add(record, &played);
                if game != ALL_GAMES {
                    player.row.tally.add_measures(record, &played);
                }
            }
            let [matches, won] = self.days.entry((played.player, day, record.key())).or_default();
            *matches += 1;
            *won += i64::from(played.standing.won);
            for (kind, change) in board::changes(record, &played) {
                self.post(record, kind, played.player, change);
            }
        }
        self.meet(record);
    }

    /// Ratings after the match.
    fn rate(&mut self, record: &Record) -> Vec<RatingChange> {
        let key = record.key();
        let seats: Vec<(Seat, Uuid, u8)> = record
            .played()
            .map(|played| (played.seat, played.player, played.standing.place))
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
            let kept = self.players.entry((player, key)).or_default();
            kept.changed = true;
            kept.row.rating = after;
            kept.row.rated += 1;
            self.history.push(rated_match::Model {
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
            self.post(record, board::RATING, player, Change::Now(after));
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

    /// Changes the entry of a player on the boards of a kind.
    fn post(&mut self, record: &Record, kind: &str, player: Uuid, change: Change) {
        for period in board::periods(record.ended_at) {
            let board = board::name(record.key(), kind, &period);
            let kept = self.boards.entry((board.clone(), player)).or_default();
            let old = kept.row.map(|entry| entry.score);
            let score = match change {
                Change::More => old.unwrap_or_default() + 1,
                Change::AtLeast(score) => score,
                Change::Now(rating) => rating.rank_millis(),
            };
            if matches!(change, Change::AtLeast(_)) && old.is_some_and(|old| old >= score) {
                continue;
            }
            let rating = if let Change::Now(rating) = change { Some(rating) } else { None };
            kept.row = Some(Entry { score, at: record.ended_at, rating });
            kept.changed = true;
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

    /// Everybody has met everybody else.
    fn meet(&mut self, record: &Record) {
        let mut seats: Vec<_> =
            record.played().map(|played| (played.player, played.standing)).collect();
        seats.sort_unstable_by_key(|(player, _)| *player);
        for (index, (one, mine)) in seats.iter().enumerate() {
            for (two, theirs) in &seats[index + 1..] {
                let met = self.pairs.entry((*one, *two, record.key())).or_default();
                met[0] += 1;
                met[1] += i64::from(mine.place < theirs.place);
                met[2] += i64::from(theirs.place < mine.place);
                met[3] += i64::from(mine.won);
                met[4] += i64::from(theirs.won);
            }
        }
    }

    /// Adds the new counts to the cells of all periods that they belong to.
    async fn spread(&mut self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        let fresh: Vec<(DayKey, Cell)> = std::mem::take(&mut self.fresh).into_iter().collect();
        let keys: BTreeSet<CellKey> = fresh.iter().flat_map(|(key, _)| cell_keys(key)).collect();
        self.load_cells(db, keys).await?;
        for (key, counts) in fresh {
            for key in cell_keys(&key) {
                let kept = self.cells.entry(key).or_default();
                kept.row.merge(&counts);
                kept.changed = true;
            }
        }
        Ok(())
    }

    /// Writes what has changed.
    pub(super) async fn write(&mut self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        self.spread(db).await?;
        self.write_added(db).await?;
        self.write_kept(db).await
    }

    /// Forgets what has been written, and no longer knows everything.
    pub(super) fn forget(&mut self) {
        self.whole = false;
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
    fn a_fork_is_in_no_figure_but_its_result_is_known() {
        let mut book = Book::open(0, 0);
        book.add(&Record { unrated: Some(Unrated::Fork), ..tapestry(None, true, 1) });
        assert_eq!((book.results.len(), book.fresh.len(), book.players.len()), (1, 0, 0));
        book.add(&tapestry(None, true, 1));
        assert_eq!((book.results.len(), book.fresh.len(), book.players.len()), (2, 1, 2));
    }
}
