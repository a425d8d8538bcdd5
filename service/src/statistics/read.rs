//! Reading statistics: rows of the current generation, by their keys.

use domain::{games, seat::Seat, time::Timestamp};
use store::{
    Db,
    event_log::FeedPosition,
    statistics::{self, BoardEntry, CellFilter, CellRow, PlayerDay, PlayerPair, PlayerResult},
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
    /// Ratings and streaks do not follow from all matches yet that ended at this time or later.
    pub unsettled_since: Option<i64>,
}

/// A rated match of a player and the rating after it.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedMatch {
    /// The id of the match.
    pub match_id: Uuid,
    /// The key of the game.
    pub game: String,
    /// When the match ended.
    pub ended_at: Timestamp,
    /// The place of the player.
    pub place: i16,
    /// The number of seats.
    pub seats: i16,
    /// The rating before the match.
    pub rating_before: f64,
    /// The rating after the match.
    pub rating: Rating,
}

impl RatedMatch {
    /// The rated match of a result that has been worked out.
    fn of(row: PlayerResult) -> Option<Self> {
        Some(Self {
            match_id: row.match_id,
            game: row.game,
            ended_at: Timestamp::from_micros(row.ended_at),
            place: row.place,
            seats: row.seats,
            rating_before: row.rating_before?,
            rating: Rating { rating: row.rating?, uncertainty: row.uncertainty? },
        })
    }
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
        let statistics::Projection { generation, position, unsettled_since, .. } = current;
        Ok(Self { db, generation, position, unsettled_since })
    }

    /// Names this state of the statistics: no two states with different figures have the same name.
    #[must_use]
    pub fn revision(&self) -> String {
        let Self { generation, position, unsettled_since, .. } = self;
        match unsettled_since {
            None => format!("{generation}-{position}"),
            Some(since) => format!("{generation}-{position}-{since}"),
        }
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

    /// The rated matches of a player in a game or in all, newest first, beginning before a match that ended at a time.
    pub async fn rated(
        &self,
        player: Uuid,
        game: Option<&str>,
        before: Option<(Timestamp, Uuid)>,
        limit: u64,
    ) -> Result<Vec<RatedMatch>> {
        let games: Vec<&str> = match game {
            Some(game) => vec![game],
            None => games::all().map(|game| game.info().key).collect(),
        };
        let before = before.map(|(ended_at, match_id)| (ended_at.micros(), match_id));
        let rows =
            statistics::rated_results(&self.db, self.generation, player, &games, before, limit);
        Ok(rows.await?.into_iter().filter_map(RatedMatch::of).collect())
    }

    /// The effect on ratings of a match that ended at this time, if it has been counted: why there is none, or the changes.
    pub async fn result(
        &self,
        id: Uuid,
        ended_at: Timestamp,
    ) -> Result<Option<(Option<String>, Vec<RatingChange>)>> {
        let row = statistics::match_result(&self.db, self.generation, id).await?;
        let Some(row) = row else { return Ok(None) };
        if row.unrated_because.is_some() {
            return Ok(Some((row.unrated_because, Vec::new())));
        }
        let rows =
            statistics::results_of_match(&self.db, self.generation, ended_at.micros(), id).await?;
        // A match that is not settled yet has no changes, and does not count as counted.
        let changes: Option<Vec<RatingChange>> = rows.iter().map(rating_change).collect();
        Ok(changes.filter(|changes| !changes.is_empty()).map(|changes| (None, changes)))
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

/// The change of a rating by a result that has been worked out.
fn rating_change(row: &PlayerResult) -> Option<RatingChange> {
    Some(RatingChange {
        seat: Seat::new(u8::try_from(row.seat).ok()?)?,
        player: row.player_id,
        rating_before: row.rating_before?,
        uncertainty_before: row.uncertainty_before?,
        rating: row.rating?,
        uncertainty: row.uncertainty?,
    })
}
