//! Results of matches.

use domain::{
    matches::{Status, Unrated},
    outcome::Outcome,
    seat::Seat,
};
use serde::Serialize;
use service::statistics::RatingChange;
use utoipa::ToSchema;
use uuid::Uuid;

/// How a match changed the rating of a player.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatRating {
    /// The seat.
    pub seat: Seat,
    /// The player.
    pub player: Uuid,
    /// The rating before the match.
    #[schema(example = 25.0)]
    pub rating_before: f64,
    /// Its standard deviation before the match.
    #[schema(example = 8.33)]
    pub uncertainty_before: f64,
    /// The rating after the match.
    #[schema(example = 27.6)]
    pub rating: f64,
    /// Its standard deviation after the match.
    #[schema(example = 8.0)]
    pub uncertainty: f64,
}

impl From<RatingChange> for SeatRating {
    fn from(change: RatingChange) -> Self {
        Self {
            seat: change.seat,
            player: change.player,
            rating_before: change.rating_before,
            uncertainty_before: change.uncertainty_before,
            rating: change.rating,
            uncertainty: change.uncertainty,
        }
    }
}

/// The result of a match.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchResult {
    /// The id of the match.
    pub id: Uuid,
    /// `finished` or `abandoned`.
    pub status: Status,
    /// Places, scores and measures; `null` if everybody left before the start.
    pub outcome: Option<Outcome>,
    /// Whether statistics and ratings include the match yet. They do a moment after its end.
    pub counted: bool,
    /// Whether the match changed ratings; `null` until it is counted.
    pub rated: Option<bool>,
    /// Why it did not; `null` if it did or is not counted yet.
    pub unrated_because: Option<Unrated>,
    /// The rating changes, one entry per seat.
    pub ratings: Vec<SeatRating>,
}
