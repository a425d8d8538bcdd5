//! Sessions.

use serde::Serialize;
use service::identity::{SessionTokens, tokens};
use store::sessions;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{MyProfile, datetime};

/// The tokens of a session, after registering, logging in or refreshing.
#[derive(Debug, Serialize, ToSchema)]
pub struct Session {
    /// Your profile.
    pub player: MyProfile,
    /// Send it in the `Authorization` header, after `Bearer `.
    #[schema(example = "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl")]
    pub access_token: String,
    /// Always `Bearer`.
    #[schema(example = "Bearer")]
    pub token_type: &'static str,
    /// The lifetime of the access token in seconds.
    #[schema(example = 900)]
    pub expires_in: u32,
    /// Exchange it for new tokens with `POST /v1/sessions/refresh`. It works until its successor has been used.
    #[schema(example = "kq3nY0y3o1S0r0m3T0k3nWith256BitsOfEntropy-_")]
    pub refresh_token: String,
    /// For guests who were created or recovered: the code for `POST /v1/guests/recover`. It works once and is shown only here, so
    /// let the player keep it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "7KQ2M-XV9RD-3HNPA-WTF5C")]
    pub recovery_code: Option<String>,
}

/// A session in the list of your sessions.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedSession {
    /// The id of the session.
    pub id: Uuid,
    /// Whether it is the session of this request.
    pub current: bool,
    /// The `User-Agent` of the client that last got tokens, cut off after 200 characters; `null` if it sent none.
    #[schema(example = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0")]
    pub device: Option<String>,
    /// The address of that client; of an IPv6 address, only the first 64 bits.
    #[schema(example = "203.0.113.7")]
    pub address: Option<String>,
    /// When the session was opened.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// When it last got tokens: when it was opened or refreshed. Other requests are not recorded.
    #[serde(with = "time::serde::rfc3339")]
    pub last_used_at: OffsetDateTime,
}

impl ListedSession {
    /// A session as the caller with the session `current` sees it.
    #[must_use]
    pub fn new(session: sessions::Session, current: Uuid) -> Self {
        Self {
            id: session.id,
            current: session.id == current,
            device: session.device,
            address: session.address,
            created_at: datetime(session.created_at),
            last_used_at: datetime(session.last_used_at),
        }
    }
}

impl From<SessionTokens> for Session {
    fn from(tokens: SessionTokens) -> Self {
        Self {
            player: MyProfile::from(tokens.player),
            access_token: tokens.access_token,
            token_type: "Bearer",
            expires_in: tokens::LIFETIME,
            refresh_token: tokens.refresh_token,
            recovery_code: tokens.recovery_code,
        }
    }
}
