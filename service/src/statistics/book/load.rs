//! Loading the rows that matches will change.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Display,
};

use domain::{games, time::Timestamp};
use store::{
    Connection,
    statistics::{self, CellRow},
};
use uuid::Uuid;

use super::{ALL_GAMES, Book, Cached, CellKey};
use crate::{
    error::Result,
    statistics::{
        board::{self, Entry},
        cell::Cell,
        rating::Rating,
        record::Record,
        sketch::Sketch,
        tally::Player,
    },
};

/// A row of statistics that cannot be read.
pub(in crate::statistics) fn unreadable(error: impl Display) -> store::Error {
    store::Error::Failed(format!("a row of statistics cannot be read: {error}"))
}

/// The key of a game in the registry; nothing for a game that is no longer registered.
pub(super) fn registered(game: &str) -> Option<&'static str> {
    if game.is_empty() { Some(ALL_GAMES) } else { games::find(game).map(|game| game.info().key) }
}

impl Book {
    /// Loads the rows that these matches will change and that are not cached yet.
    pub(super) async fn load(&mut self, db: &impl Connection, records: &[Record]) -> Result<()> {
        if self.complete {
            return Ok(());
        }
        let counted = records.iter().filter(|record| record.counts_for_players());
        let players = counted.flat_map(Record::results).map(|result| result.player);
        self.load_players(db, players).await?;
        self.load_boards(db, boards_of(records)).await
    }

    /// Loads the rows of these players, unless they are cached.
    pub(super) async fn load_players(
        &mut self,
        db: &impl Connection,
        players: impl Iterator<Item = Uuid>,
    ) -> Result<()> {
        let missing: BTreeSet<Uuid> =
            players.filter(|player| !self.players.contains_key(&(*player, ALL_GAMES))).collect();
        let missing: Vec<Uuid> = missing.into_iter().collect();
        for row in statistics::player_games_of(db, self.generation, &missing).await? {
            let Some(game) = registered(&row.game) else { continue };
            let tally = serde_json::from_str(&row.tally).map_err(unreadable)?;
            let rating = Rating { rating: row.rating, uncertainty: row.uncertainty };
            let player = Player { tally, rating, rated: row.rated };
            self.players.insert((row.player_id, game), Cached { row: player, changed: false });
        }
        Ok(())
    }

    /// Loads the entries of players on boards, unless they are cached.
    pub(super) async fn load_boards(
        &mut self,
        db: &impl Connection,
        boards: BTreeMap<String, BTreeSet<Uuid>>,
    ) -> Result<()> {
        for (board, players) in boards {
            let is_missing = |player: &Uuid| !self.boards.contains_key(&(board.clone(), *player));
            let players: Vec<Uuid> = players.into_iter().filter(is_missing).collect();
            for player in &players {
                self.boards.insert((board.clone(), *player), Cached::default());
            }
            let rows = statistics::board_entries_of(db, self.generation, &board, &players);
            for row in rows.await? {
                let rating = row.rating.zip(row.uncertainty);
                let entry = Entry {
                    score: row.score,
                    at: Timestamp::from_micros(row.at),
                    rating: rating.map(|(rating, uncertainty)| Rating { rating, uncertainty }),
                };
                let cached = Cached { row: Some(entry), changed: false };
                self.boards.insert((row.board, row.player_id), cached);
            }
        }
        Ok(())
    }

    /// Loads these cells, unless they are cached.
    pub(super) async fn load_cells(
        &mut self,
        db: &impl Connection,
        keys: BTreeSet<CellKey>,
    ) -> Result<()> {
        if self.complete {
            return Ok(());
        }
        let mut missing: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
        for key in keys.iter().filter(|key| !self.cells.contains_key(*key)) {
            missing.entry(key.0).or_default().insert(key.1.clone());
        }
        for (game, periods) in missing {
            let periods: Vec<String> = periods.into_iter().collect();
            for row in statistics::cells(db, self.generation, game, &periods).await? {
                let seats = u8::try_from(row.seats).map_err(unreadable)?;
                let version = u16::try_from(row.rules_version).map_err(unreadable)?;
                let key = (game, row.period.clone(), seats, version, row.bots);
                if keys.contains(&key) && !self.cells.contains_key(&key) {
                    let cached = Cached { row: read_cell(&row)?, changed: false };
                    self.cells.insert(key, cached);
                }
            }
        }
        Ok(())
    }
}

/// The entries that these matches may change, by board; ratings are separate.
fn boards_of(records: &[Record]) -> BTreeMap<String, BTreeSet<Uuid>> {
    let mut boards: BTreeMap<String, BTreeSet<Uuid>> = BTreeMap::new();
    for record in records.iter().filter(|record| record.counts_for_players()) {
        for result in record.results() {
            for (kind, _) in board::changes(record, &result) {
                for period in board::periods(record.ended_at) {
                    let board = board::name(record.key(), kind, &period);
                    boards.entry(board).or_default().insert(result.player);
                }
            }
        }
    }
    boards
}

/// The cell of a row.
pub(in crate::statistics) fn read_cell(row: &CellRow) -> Result<Cell, store::Error> {
    let mut cell: Cell = serde_json::from_str(&row.cell).map_err(unreadable)?;
    cell.players = Sketch::from_bytes(&row.players)
        .ok_or_else(|| unreadable("its players are not a list of hashes"))?;
    Ok(cell)
}
