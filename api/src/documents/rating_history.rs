//! The rating history of a player.

use serde::Serialize;
use service::{clock, statistics};
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
    #[schema(example = "1794995100000000_0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10")]
    pub next: Option<String>,
}

impl RatedMatch {
    /// A rated match of a player.
    #[must_use]
    pub fn new(row: statistics::RatedMatch) -> Self {
        Self {
            id: row.match_id,
            game: row.game,
            at: clock::to_datetime(row.ended_at),
            place: row.place,
            seats: row.seats,
            rating_before: row.rating_before,
            rating: row.rating.rating,
            uncertainty: row.rating.uncertainty,
            rank_score: row.rating.rank_score(),
        }
    }
}
