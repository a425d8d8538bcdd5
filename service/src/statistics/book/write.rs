//! Writing the rows that have changed.

use store::{
    Connection,
    statistics::{
        self, AppendedRows, BoardEntry, BoardRank, CellRow, PlayerDay, PlayerGame, PlayerPair,
        ReplacedRows,
    },
};

use super::{Book, Cached};
use crate::error::Result;

/// A row that has to be written; it counts as written from now on.
fn changed<'a, K, T>((key, cached): (&'a K, &'a mut Cached<T>)) -> Option<(&'a K, &'a T)> {
    std::mem::take(&mut cached.changed).then_some((key, &cached.row))
}

impl Book {
    /// Writes append-only rows, and counts that are added to those in the store.
    pub(in crate::statistics) async fn write_appended(
        &mut self,
        db: &impl Connection,
    ) -> Result<()> {
        let generation = self.generation;
        let days = std::mem::take(&mut self.days)
            .into_iter()
            .map(|((player_id, day, game), [played, won])| PlayerDay {
                generation,
                player_id,
                day,
                game: game.to_owned(),
                played,
                won,
            })
            .collect();
        let pairs = std::mem::take(&mut self.pairs)
            .into_iter()
            .map(|((one, two, game), [played, one_ahead, two_ahead, one_won, two_won])| {
                PlayerPair {
                    generation,
                    one,
                    two,
                    game: game.to_owned(),
                    played,
                    one_ahead,
                    two_ahead,
                    one_won,
                    two_won,
                }
            })
            .collect();
        let rows = AppendedRows {
            results: std::mem::take(&mut self.results),
            player_results: std::mem::take(&mut self.new_results),
            days,
            pairs,
        };
        Ok(statistics::append(db, rows).await?)
    }

    /// Writes rows that replace those in the store.
    pub(super) async fn write_replaced(&mut self, db: &impl Connection) -> Result<()> {
        let generation = self.generation;
        let cells = self
            .cells
            .iter_mut()
            .filter_map(changed)
            .map(|((game, period, seats, version, bots), cell)| CellRow {
                generation,
                game: (*game).to_owned(),
                period: period.clone(),
                seats: (*seats).into(),
                rules_version: (*version).into(),
                bots: *bots,
                cell: serde_json::to_string(cell).expect("a cell is plain data"),
                players: cell.players.to_bytes(),
            })
            .collect();
        let players = self
            .players
            .iter_mut()
            .filter_map(changed)
            .map(|((player_id, game), player)| PlayerGame {
                generation,
                player_id: *player_id,
                game: (*game).to_owned(),
                tally: serde_json::to_string(&player.tally).expect("a tally is plain data"),
                rating: player.rating.rating,
                uncertainty: player.rating.uncertainty,
                rated: player.rated,
            })
            .collect();
        let boards = self
            .boards
            .iter_mut()
            .filter_map(changed)
            .filter_map(|((board, player_id), entry)| {
                let entry = (*entry)?;
                Some(BoardEntry {
                    generation,
                    board: board.clone(),
                    player_id: *player_id,
                    score: entry.score,
                    at: entry.at.micros(),
                    rating: entry.rating.map(|rating| rating.rating),
                    uncertainty: entry.rating.map(|rating| rating.uncertainty),
                })
            })
            .collect();
        let ranks = std::mem::take(&mut self.ranks)
            .into_iter()
            .filter(|(_, entries)| *entries != 0)
            .map(|((board, level, bucket), entries)| BoardRank {
                generation,
                board,
                level,
                bucket,
                entries,
            })
            .collect();
        let player_results = std::mem::take(&mut self.changed_results);
        let rows = ReplacedRows { cells, players, player_results, boards, ranks };
        Ok(statistics::replace(db, rows).await?)
    }
}
