//! Leaderboards.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::SeatedPlayer;

/// A player on a leaderboard.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeaderboardEntry {
    /// The rank; 1 is the best. Equal scores share a rank, and the following ranks are skipped.
    #[schema(example = 1)]
    pub rank: u64,
    /// The player.
    pub player: SeatedPlayer,
    /// What the board is sorted by: `rating - 3 * uncertainty`, wins, points, or the value of the measure.
    #[schema(example = 21.4)]
    pub score: f64,
    /// The rating, on the board of ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
    /// Its standard deviation, on the board of ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncertainty: Option<f64>,
    /// When the match ended that last changed the score.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
}

/// A page of a leaderboard, best first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Leaderboard {
    /// The key of the game.
    #[schema(example = "qwinto")]
    pub game: &'static str,
    /// The id of the board.
    #[schema(example = "rating")]
    pub board: String,
    /// The period: `all`, a season as in `2026-Q4`, or a month as in `2026-11`.
    #[schema(example = "2026-Q4")]
    pub period: String,
    /// The entries.
    pub entries: Vec<LeaderboardEntry>,
    /// The `cursor` of the next page; `null` on the last page.
    pub next: Option<String>,
}
