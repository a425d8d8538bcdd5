//! Sessions: a short-lived access token and a refresh token. A refresh token works once; a second use ends the session,
//! because somebody else must have it too.

use std::sync::Arc;

use domain::time::Timestamp;
use store::{
    Db,
    players::Player,
    sessions::{self, Exchange, NewRefreshToken},
};
use uuid::Uuid;

use super::AccessTokens;
use crate::{clock, error::Result, secret};

/// How long a refresh token is valid, in microseconds.
const REFRESH_LIFETIME: i64 = 60 * 24 * 60 * 60 * 1_000_000;

/// Opens, refreshes and ends sessions.
#[derive(Debug)]
pub struct Sessions {
    db: Db,
    tokens: Arc<AccessTokens>,
}

/// The tokens of a session, and its player.
#[derive(Debug)]
pub struct SessionTokens {
    /// The player.
    pub player: Player,
    /// The access token.
    pub access_token: String,
    /// The refresh token.
    pub refresh_token: String,
}

/// Why a refresh token gets no new tokens.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// It is unknown or has expired, or its session has ended.
    #[error("the refresh token is unknown or has expired")]
    Invalid,
    /// It was used before, so the session has ended.
    #[error("the refresh token was used before")]
    Reused,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Sessions {
    /// The sessions in this store.
    #[must_use]
    pub fn new(db: Db, tokens: Arc<AccessTokens>) -> Self {
        Self { db, tokens }
    }

    /// Opens a session for a player.
    pub async fn open(&self, player: Player, now: Timestamp) -> Result<SessionTokens> {
        let id = clock::new_id(now);
        let (refresh_token, new) = new_refresh_token(now);
        sessions::open(&self.db, id, player.id, new, now).await?;
        Ok(self.tokens_for(player, id, refresh_token, now))
    }

    /// Exchanges a refresh token for new tokens.
    pub async fn refresh(
        &self,
        token: &str,
        now: Timestamp,
    ) -> Result<SessionTokens, RefreshError> {
        let (refresh_token, new) = new_refresh_token(now);
        match sessions::exchange(&self.db, secret::hash(token.as_bytes()), new, now).await? {
            Exchange::Issued { session, player } => {
                Ok(self.tokens_for(player, session, refresh_token, now))
            }
            Exchange::Reused { session } => {
                tracing::warn!(%session, "a refresh token was used twice; its session was ended");
                Err(RefreshError::Reused)
            }
            Exchange::Invalid => Err(RefreshError::Invalid),
        }
    }

    /// Ends a session; its refresh tokens no longer work.
    pub async fn end(&self, id: Uuid, now: Timestamp) -> Result<()> {
        Ok(sessions::end(&self.db, id, now).await?)
    }

    fn tokens_for(
        &self,
        player: Player,
        session: Uuid,
        refresh_token: String,
        now: Timestamp,
    ) -> SessionTokens {
        let access_token = self.tokens.sign(player.id, session, player.is_guest(), now);
        SessionTokens { player, access_token, refresh_token }
    }
}

fn new_refresh_token(now: Timestamp) -> (String, NewRefreshToken) {
    let token = secret::token();
    let hash = secret::hash(token.as_bytes());
    let expires = Timestamp::from_micros(now.micros() + REFRESH_LIFETIME);
    (token, NewRefreshToken { hash, expires })
}
