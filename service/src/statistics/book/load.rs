//! Rows that matches will change, from the store.

use std::collections::{BTreeMap, BTreeSet};

use domain::{games, time::Timestamp};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};
use store::entities::{board_entry, player_game, stat_cell};
use uuid::Uuid;

use super::{ALL_GAMES, Book, CellKey, Entry, Kept};
use crate::statistics::{
    board, cell::Cell, rating::Rating, record::Record, sketch::Players, tally::Player,
};

/// How many values are bound in one query.
const VALUES: usize = 500;

/// A text of the store that cannot be read back.
pub(in crate::statistics) fn unreadable(error: &serde_json::Error) -> DbErr {
    DbErr::Custom(format!("a row of statistics cannot be read: {error}"))
}

/// The key of a game as the registry has it.
fn known(game: &str) -> Option<&'static str> {
    if game.is_empty() { Some(ALL_GAMES) } else { games::find(game).map(|game| game.info().key) }
}

impl Book {
    /// Loads what these matches will change and is not here yet.
    pub(super) async fn load(
        &mut self,
        db: &impl ConnectionTrait,
        records: &[Record],
    ) -> Result<(), DbErr> {
        if self.whole {
            return Ok(());
        }
        self.load_players(db, records).await?;
        self.load_boards(db, records).await
    }

    async fn load_players(
        &mut self,
        db: &impl ConnectionTrait,
        records: &[Record],
    ) -> Result<(), DbErr> {
        let missing: BTreeSet<Uuid> = records
            .iter()
            .flat_map(Record::played)
            .map(|played| played.player)
            .filter(|player| !self.players.contains_key(&(*player, ALL_GAMES)))
            .collect();
        let missing: Vec<Uuid> = missing.into_iter().collect();
        for players in missing.chunks(VALUES) {
            let rows = player_game::Entity::find()
                .filter(player_game::Column::Generation.eq(self.generation))
                .filter(player_game::Column::PlayerId.is_in(players.iter().copied()))
                .all(db)
                .await?;
            for row in rows {
                let Some(game) = known(&row.game) else { continue };
                let tally = serde_json::from_str(&row.tally).map_err(|error| unreadable(&error))?;
                let rating = Rating { rating: row.rating, uncertainty: row.uncertainty };
                let player = Player { tally, rating, rated: row.rated };
                self.players.insert((row.player_id, game), Kept { row: player, changed: false });
            }
        }
        Ok(())
    }

    async fn load_boards(
        &mut self,
        db: &impl ConnectionTrait,
        records: &[Record],
    ) -> Result<(), DbErr> {
        let mut missing: BTreeMap<String, BTreeSet<Uuid>> = BTreeMap::new();
        for record in records.iter().filter(|record| record.counts_on_boards()) {
            for played in record.played() {
                let changes = board::changes(record, &played);
                let kinds = changes.iter().map(|(kind, _)| *kind).chain([board::RATING]);
                for kind in kinds {
                    for period in board::periods(record.ended_at) {
                        let key = (board::name(record.key(), kind, &period), played.player);
                        if !self.boards.contains_key(&key) {
                            missing.entry(key.0).or_default().insert(key.1);
                        }
                    }
                }
            }
        }
        for (board, players) in missing {
            let players: Vec<Uuid> = players.into_iter().collect();
            for players in players.chunks(VALUES) {
                let rows = board_entry::Entity::find()
                    .filter(board_entry::Column::Generation.eq(self.generation))
                    .filter(board_entry::Column::Board.eq(board.as_str()))
                    .filter(board_entry::Column::PlayerId.is_in(players.iter().copied()))
                    .all(db)
                    .await?;
                for row in rows {
                    let rating = row.rating.zip(row.uncertainty);
                    let entry = Entry {
                        score: row.score,
                        at: Timestamp::from_micros(row.at),
                        rating: rating.map(|(rating, uncertainty)| Rating { rating, uncertainty }),
                    };
                    let kept = Kept { row: Some(entry), changed: false };
                    self.boards.insert((row.board, row.player_id), kept);
                }
            }
        }
        Ok(())
    }

    /// Loads these cells, as far as they are not here yet.
    pub(super) async fn load_cells(
        &mut self,
        db: &impl ConnectionTrait,
        keys: BTreeSet<CellKey>,
    ) -> Result<(), DbErr> {
        if self.whole {
            return Ok(());
        }
        let mut missing: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
        for key in keys.iter().filter(|key| !self.cells.contains_key(*key)) {
            missing.entry(key.0).or_default().insert(key.1.clone());
        }
        for (game, periods) in missing {
            let periods: Vec<String> = periods.into_iter().collect();
            for periods in periods.chunks(VALUES) {
                let rows = stat_cell::Entity::find()
                    .filter(stat_cell::Column::Generation.eq(self.generation))
                    .filter(stat_cell::Column::Game.eq(game))
                    .filter(stat_cell::Column::Period.is_in(periods))
                    .all(db)
                    .await?;
                for row in rows {
                    let seats = u8::try_from(row.seats).unwrap_or_default();
                    let version = u16::try_from(row.rules_version).unwrap_or_default();
                    let key = (game, row.period.clone(), seats, version);
                    if keys.contains(&key) && !self.cells.contains_key(&key) {
                        let kept = Kept { row: read_cell(&row)?, changed: false };
                        self.cells.insert(key, kept);
                    }
                }
            }
        }
        Ok(())
    }
}

/// A cell from its row.
pub(in crate::statistics) fn read_cell(row: &stat_cell::Model) -> Result<Cell, DbErr> {
    let mut cell: Cell = serde_json::from_str(&row.cell).map_err(|error| unreadable(&error))?;
    cell.players = Players::from_bytes(&row.players);
    Ok(cell)
}
