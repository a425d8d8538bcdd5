//! Reading statistics: rows of the current generation, by their keys.

use store::{
    Db,
    event_log::FeedPosition,
    statistics::{self, BoardEntry, CellFilter, CellRow, PlayerDay, PlayerPair, RatedMatch},
};
use uuid::Uuid;

use super::{
    board,
    book::{ALL_GAMES, RatingChange, read_cell, unreadable},
    cell::Cell,
    rating::Rating,
    tally::Tally,
};
use crate::error::Result;

/// The current statistics.
#[derive(Debug, Clone)]
pub struct Statistics {
    db: Db,
    /// The generation of the rows.
    pub generation: i64,
    /// How much of the feed they include.
    pub position: FeedPosition,
}

/// The cells in these rows, by the names of their periods.
pub(super) fn read_cells(rows: &[CellRow]) -> Result<Vec<(String, Cell)>> {
    rows.iter().map(|row| Ok((row.period.clone(), read_cell(row)?))).collect()
}

/// The statistics of a player in one game: its key, the tally, the rating and the number of rated matches.
pub type PlayerGame = (String, Tally, Option<(Rating, u64)>);

impl Statistics {
    /// The current statistics, read from a standby if it has them.
    pub async fn now(db: &Db) -> Result<Self> {
        let db = db.reader().await;
        let current = statistics::projection(&db).await?;
        Ok(Self { db, generation: current.generation, position: current.position })
    }

    /// The rows of a game whose periods lie in one of these ranges, at most `limit` of them.
    pub(super) async fn rows(
        &self,
        game: &str,
        ranges: &[(String, String)],
        filter: CellFilter,
        limit: u64,
    ) -> Result<Vec<CellRow>> {
        let rows =
            statistics::cells_in_ranges(&self.db, self.generation, game, ranges, filter, limit);
        Ok(rows.await?)
    }

    /// The statistics of a player: in all games together, and in each of them.
    pub async fn player(&self, player: Uuid) -> Result<(Tally, Vec<PlayerGame>)> {
        let mut overall = Tally::default();
        let mut games = Vec::new();
        for row in statistics::player_games(&self.db, self.generation, player).await? {
            let tally: Tally = serde_json::from_str(&row.tally).map_err(unreadable)?;
            let rating = Rating { rating: row.rating, uncertainty: row.uncertainty };
            let rated = u64::try_from(row.rated).map_err(unreadable)?;
            if row.game == ALL_GAMES {
                overall = tally;
            } else {
                games.push((row.game, tally, (rated > 0).then_some((rating, rated))));
            }
        }
        Ok((overall, games))
    }

    /// The days of a player from `first` on and before `end`, by game.
    pub async fn days(&self, player: Uuid, first: i32, end: i32) -> Result<Vec<PlayerDay>> {
        Ok(statistics::player_days(&self.db, self.generation, player, first, end).await?)
    }

    /// How often two players have met, by game. `one` in the rows is the player with the smaller id.
    pub async fn pair(&self, one: Uuid, two: Uuid) -> Result<Vec<PlayerPair>> {
        Ok(statistics::player_pairs(&self.db, self.generation, one, two).await?)
    }

    /// The rated matches of a player, newest first.
    pub async fn rated(
        &self,
        player: Uuid,
        game: Option<&str>,
        before: Option<i64>,
        limit: u64,
    ) -> Result<Vec<RatedMatch>> {
        let rows =
            statistics::rated_matches(&self.db, self.generation, player, game, before, limit);
        Ok(rows.await?)
    }

    /// The effect of a match on ratings, if it has been counted: why there is none, or the changes.
    pub async fn result(&self, id: Uuid) -> Result<Option<(Option<String>, Vec<RatingChange>)>> {
        let row = statistics::match_result(&self.db, self.generation, id).await?;
        row.map(|row| {
            let changes = serde_json::from_str(&row.changes).map_err(unreadable)?;
            Ok((row.unrated_because, changes))
        })
        .transpose()
    }

    /// The entry of a player on a board.
    pub async fn entry(&self, board: &str, player: Uuid) -> Result<Option<BoardEntry>> {
        Ok(statistics::board_entry(&self.db, self.generation, board, player).await?)
    }

    /// Entries of a board after an entry, best first; or before it, nearest first.
    pub async fn entries(
        &self,
        board: &str,
        from: Option<(i64, Uuid)>,
        upwards: bool,
        limit: u64,
    ) -> Result<Vec<BoardEntry>> {
        let rows =
            statistics::board_entries(&self.db, self.generation, board, from, upwards, limit);
        Ok(rows.await?)
    }

    /// How many entries of a board have a higher score, from a bounded number of rows.
    pub async fn above(&self, board: &str, score: i64) -> Result<u64> {
        let ranges = board::above(score);
        Ok(statistics::count_entries(&self.db, self.generation, board, &ranges).await?)
    }
}
