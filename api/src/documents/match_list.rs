//! Matches in lists.

use domain::{matches::Status, seat::Seat};
use serde::Serialize;
use service::{clock, names::KnownPlayers};
use store::{ListedMatch, event_log::Head};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::SeatedPlayer;

/// A seat of a match in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedSeat {
    /// The number of the seat.
    pub seat: Seat,
    /// The player in this seat; `null` while the seat is free.
    pub player: Option<SeatedPlayer>,
    /// Whether the match waits for this seat.
    pub to_act: bool,
    /// Whether the player has resigned.
    pub resigned: bool,
}

/// A match in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchListing {
    /// The id of the match.
    pub id: Uuid,
    /// The key of the game.
    #[schema(example = "qwinto")]
    pub game: String,
    /// The status of the match.
    pub status: Status,
    /// The number of events so far.
    pub version: u64,
    /// The seats in order.
    pub seats: Vec<ListedSeat>,
    /// When the match was created.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// When the last event happened.
    #[serde(with = "time::serde::rfc3339")]
    pub updated_at: OffsetDateTime,
}

/// A page of matches, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchPage {
    /// The matches.
    pub matches: Vec<MatchListing>,
    /// The `cursor` of the next page; `null` on the last page.
    pub next: Option<Uuid>,
}

impl MatchListing {
    /// A match in a list, with the names of its players.
    #[must_use]
    pub fn new(listed: ListedMatch, head: &Head, names: &KnownPlayers) -> Self {
        let ListedMatch { id, game, status, players, resigned } = listed;
        let count = u8::try_from(players.len()).expect("a match has at most 8 seats");
        let seats = Seat::all(count).zip(players).map(|(seat, player)| ListedSeat {
            seat,
            player: player.map(|id| SeatedPlayer::new(id, names)),
            to_act: head.waiting.contains(seat),
            resigned: resigned.contains(seat),
        });
        Self {
            id,
            game,
            status,
            version: head.version,
            seats: seats.collect(),
            created_at: id_time(id),
            updated_at: clock::to_datetime(head.at),
        }
    }
}

/// The time of creation, which the id (a UUIDv7) contains.
fn id_time(id: Uuid) -> OffsetDateTime {
    let (seconds, nanos) = id.get_timestamp().expect("the id of a match is a UUIDv7").to_unix();
    let nanos = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
    OffsetDateTime::from_unix_timestamp_nanos(nanos).expect("a UUIDv7 has 48 bits of milliseconds")
}
