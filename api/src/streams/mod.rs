//! Streams: answers that go on. One task a stream writes messages into a bounded queue, from which they are sent; whoever
//! does not read is dropped and can resume. A stream never shows more than the routes that answer once.

pub mod expiry;
pub mod match_stream;
pub mod my_stream;
pub mod outlet;
pub mod request;

use serde::Serialize;
use utoipa::ToSchema;

use domain::text::{Lang, Text};

pub use outlet::{Framing, Message, Outlet};

/// Why a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The match is over: there is nothing more to come.
    MatchOver,
    /// The access token has expired: get a new one and resume.
    TokenExpired,
    /// The access token was revoked, or its player is gone.
    TokenRevoked,
    /// You did not read for too long: resume.
    TooSlow,
    /// The server is about to end: resume at another one, or in a moment.
    ServerClosing,
    /// You may not see this match any more.
    NotVisible,
    /// Something went wrong on our side: resume in a moment.
    Internal,
}

impl EndReason {
    /// In words.
    #[must_use]
    pub fn tell(self, lang: Lang) -> &'static str {
        match self {
            Self::MatchOver => Text::new("The match is over.", "La partida ha terminado."),
            Self::TokenExpired => Text::new(
                "The access token has expired; get a new one with the refresh token and resume.",
                "El token de acceso ha caducado; consigue otro con el token de renovación y reanuda.",
            ),
            Self::TokenRevoked => Text::new(
                "The access token was revoked; resume with another one.",
                "El token de acceso fue revocado; reanuda con otro.",
            ),
            Self::TooSlow => Text::new(
                "You did not read for too long; resume where you were.",
                "Dejaste de leer demasiado tiempo; reanuda donde estabas.",
            ),
            Self::ServerClosing => Text::new(
                "The server is about to end; resume in a moment.",
                "El servidor se va a detener; reanuda en un momento.",
            ),
            Self::NotVisible => Text::new(
                "You may not see this match any more.",
                "Ya no puedes ver esta partida.",
            ),
            Self::Internal => Text::new(
                "Something went wrong on our side; resume in a moment.",
                "Algo falló de nuestro lado; reanuda en un momento.",
            ),
        }
        .get(lang)
    }
}
