//! The messages of the stream of a match.

use domain::{
    matches::{Match, Status},
    seat::{Seat, SeatSet},
    text::{Lang, Text},
};
use serde::Serialize;
use serde_json::value::RawValue;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    EventDocument, MatchDocument, SeatDeadline,
    schema::{AnyEvent, AnyView},
};

/// A message of the stream of a match. In SSE, `type` is also the name of the event, and `id` its id.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MatchMessage {
    /// The first message: the match as it is now.
    Snapshot {
        /// The version to resume after. The events after it follow.
        id: u64,
        /// The match as you see it.
        #[serde(rename = "match")]
        document: Box<MatchDocument>,
        /// The seats that have a stream open.
        presence: Vec<Seat>,
    },
    /// An event of the match.
    Event {
        /// The version to resume after; the same as `version`.
        id: u64,
        /// The version of the match after the event.
        version: u64,
        /// When it happened.
        #[serde(with = "time::serde::rfc3339")]
        at: OffsetDateTime,
        /// The seat that caused it; `null` if no seat did.
        by: Option<Seat>,
        /// Whether the server chose the move, because the seat had resigned or run out of time.
        automatic: bool,
        /// What happened.
        #[schema(value_type = AnyEvent)]
        event: Box<RawValue>,
        /// The event in words.
        text: String,
    },
    /// The state of the match after the preceding events.
    State {
        /// The version of the match.
        version: u64,
        /// The status of the match.
        status: Status,
        /// The seats that the match waits for.
        to_act: Vec<Seat>,
        /// The deadline of each of these seats; empty without a time limit.
        deadlines: Vec<SeatDeadline>,
        /// What you now see of the game.
        #[schema(value_type = Option<AnyView>)]
        view: Option<Box<RawValue>>,
    },
    /// A seat has opened its first stream or closed its last.
    Presence {
        /// The seats that have a stream open.
        presence: Vec<Seat>,
    },
    /// The last message.
    End {
        /// Why the stream ends.
        reason: EndReason,
        /// The reason in words.
        text: &'static str,
        /// The match at its end, with everything shown, if it is over.
        #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
        document: Option<Box<MatchDocument>>,
    },
}

impl MatchMessage {
    /// An event.
    #[must_use]
    pub fn event(document: EventDocument) -> Self {
        let EventDocument { version, at, by, automatic, event, text } = document;
        Self::Event { id: version, version, at, by, automatic, event, text }
    }

    /// The state of a match, as a player sees it.
    #[must_use]
    pub fn state(m: &Match, player: Option<Uuid>) -> Self {
        Self::State {
            version: m.version(),
            status: m.status(),
            to_act: m.to_act().iter().collect(),
            deadlines: SeatDeadline::all(m),
            view: m.view(m.viewer(player)),
        }
    }

    /// The seats that have a stream open.
    #[must_use]
    pub fn presence(seats: SeatSet) -> Self {
        Self::Presence { presence: seats.iter().collect() }
    }

    /// The type of the message.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Snapshot { .. } => "snapshot",
            Self::Event { .. } => "event",
            Self::State { .. } => "state",
            Self::Presence { .. } => "presence",
            Self::End { .. } => "end",
        }
    }

    /// The version to resume after, if a stream can be resumed after this message.
    #[must_use]
    pub const fn id(&self) -> Option<u64> {
        match self {
            Self::Snapshot { id, .. } | Self::Event { id, .. } => Some(*id),
            Self::State { .. } | Self::Presence { .. } | Self::End { .. } => None,
        }
    }
}

/// Why a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The match is over; there is nothing to resume.
    MatchOver,
    /// The access token has expired. Get a new one and resume.
    TokenExpired,
    /// The access token was revoked, or its player was deleted.
    TokenRevoked,
    /// The client read too slowly. Resume.
    TooSlow,
    /// The server is shutting down. Resume at another one, or in a moment.
    ServerClosing,
    /// You no longer have access to this match.
    NotVisible,
    /// The server failed. Resume in a moment.
    Internal,
}

impl EndReason {
    /// The reason in words.
    #[must_use]
    pub const fn text(self, lang: Lang) -> &'static str {
        match self {
            Self::MatchOver => Text::new("The match is over.", "La partida ha terminado."),
            Self::TokenExpired => Text::new(
                "The access token has expired; get a new one with the refresh token and resume.",
                "El token de acceso ha caducado; consigue otro con el token de renovación y reanuda.",
            ),
            Self::TokenRevoked => Text::new(
                "The access token was revoked; resume with another one.",
                "El token de acceso se ha revocado; reanuda con otro.",
            ),
            Self::TooSlow => Text::new(
                "The client read too slowly; reconnect to resume.",
                "El cliente leía demasiado despacio; vuelve a conectarte para reanudar.",
            ),
            Self::ServerClosing => Text::new(
                "The server is shutting down; reconnect in a moment to resume.",
                "El servidor se está apagando; vuelve a conectarte en un momento para reanudar.",
            ),
            Self::NotVisible => Text::new(
                "You no longer have access to this match.",
                "Ya no tienes acceso a esta partida.",
            ),
            Self::Internal => Text::new(
                "Something went wrong on our side; reconnect in a moment to resume.",
                "Algo ha fallado por nuestra parte; vuelve a conectarte en un momento para reanudar.",
            ),
        }
        .get(lang)
    }
}
