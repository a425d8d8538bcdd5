//! Legal moves.

use domain::{
    game::Fill,
    matches::{Match, Status},
    seat::Seat,
    text::Lang,
};
use serde::Serialize;
use serde_json::value::RawValue;
use service::clock;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::schema::AnyMove;

/// The legal moves of a seat.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalMoves {
    /// The version of the match at which they are legal.
    #[schema(example = 5)]
    pub version: u64,
    /// The status of the match.
    pub status: Status,
    /// Your seat.
    pub seat: Seat,
    /// The deadline for your decision; `null` if the match does not wait for you or has no time limit.
    #[serde(with = "time::serde::rfc3339::option")]
    pub deadline: Option<OffsetDateTime>,
    /// The moves; each can be posted back unchanged.
    pub moves: Vec<LegalMove>,
    /// Whether every legal move is listed. If not, `fill` describes the others.
    pub complete: bool,
}

/// A legal move.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalMove {
    /// The move, ready for `POST /v1/matches/{id}/moves`.
    #[serde(rename = "move")]
    #[schema(value_type = AnyMove)]
    pub mv: Box<RawValue>,
    /// The move in words.
    #[schema(example = "Roll the orange and purple dice")]
    pub label: String,
    /// The field that may take other values, and which ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fill: Option<Fill>,
}

impl LegalMoves {
    /// The legal moves of a seat, labelled in a language.
    #[must_use]
    pub fn new(m: &Match, seat: Seat, lang: Lang) -> Self {
        let listing = m.listing(seat, lang);
        let moves = listing.moves.into_iter().map(|listed| LegalMove {
            mv: listed.mv,
            label: listed.label,
            fill: listed.fill,
        });
        Self {
            version: m.version(),
            status: m.status(),
            seat,
            deadline: m.deadline(seat).map(clock::to_datetime),
            moves: moves.collect(),
            complete: listing.complete,
        }
    }
}
