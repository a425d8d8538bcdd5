//! The rating history of a player.

use domain::time::Timestamp;
use serde::Serialize;
use service::{
    clock,
    statistics::{self, Rating},
};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

/// A rated match and the rating after it.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatedMatch {
    /// The id of the match.
    #[serde(rename = "match")]
    pub id: Uuid,
    /// The key of the game.
    #[schema(example = "qwinto")]
    pub game: String,
    /// When the match ended.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// The place of the player.
    #[schema(minimum = 1, maximum = 8)]
    pub place: i16,
    /// The number of seats.
    #[schema(minimum = 2, maximum = 8)]
    pub seats: i16,
    /// The rating before the match.
    #[schema(example = 25.0)]
    pub rating_before: f64,
    /// The rating after the match.
    #[schema(example = 27.6)]
    pub rating: f64,
    /// The standard deviation after the match.
    #[schema(example = 8.0)]
    pub uncertainty: f64,
    /// The score on leaderboards after the match: `rating - 3 * uncertainty`.
    #[schema(example = 3.5)]
    pub rank_score: f64,
}

/// A page of a player's rating history, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingHistory {
    /// The rated matches.
    pub matches: Vec<RatedMatch>,
    /// The `cursor` of the next page; `null` on the last page.
    pub next: Option<i64>,
}

impl RatedMatch {
    /// A rated match of a player.
    #[must_use]
    pub fn new(row: statistics::RatedMatch) -> Self {
        let rating = Rating { rating: row.rating, uncertainty: row.uncertainty };
        Self {
            id: row.match_id,
            game: row.game,
            at: clock::to_datetime(Timestamp::from_micros(row.at)),
            place: row.place,
            seats: row.seats,
            rating_before: row.rating_before,
            rating: row.rating,
            uncertainty: row.uncertainty,
            rank_score: rating.rank_score(),
        }
    }
}
