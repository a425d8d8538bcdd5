//! Sessions.

use serde::Serialize;
use service::identity::{SessionTokens, tokens};
use utoipa::ToSchema;

use super::MyProfile;

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
    /// Exchange it for new tokens with `POST /v1/sessions/refresh`. It works once.
    #[schema(example = "kq3nY0y3o1S0r0m3T0k3nWith256BitsOfEntropy-_")]
    pub refresh_token: String,
}

impl From<SessionTokens> for Session {
    fn from(tokens: SessionTokens) -> Self {
        Self {
            player: MyProfile::from(tokens.player),
            access_token: tokens.access_token,
            token_type: "Bearer",
            expires_in: tokens::LIFETIME,
            refresh_token: tokens.refresh_token,
        }
    }
}
