//! Sessions: a short-lived access token and a refresh token. A refresh token works until its successor has been used, so that a
//! response may get lost; using it later ends the session, because somebody else must have it too.

use std::{net::IpAddr, sync::Arc};

use domain::time::Timestamp;
use store::{
    Db,
    players::Player,
    sessions::{self, Exchange, NewRefreshToken, Session, Whereabouts},
};
use uuid::Uuid;

use super::{AccessTokens, EndedSessions};
use crate::{clock, error::Result, secret};

/// How long a refresh token is valid, in microseconds.
const REFRESH_LIFETIME: i64 = 60 * 24 * 60 * 60 * 1_000_000;
/// What is kept of the name of a device, in characters.
const DEVICE_LENGTH: usize = 200;

/// Opens, refreshes, lists and ends sessions.
#[derive(Debug)]
pub struct Sessions {
    db: Db,
    tokens: Arc<AccessTokens>,
    ended: Arc<EndedSessions>,
}

/// The client that uses a session.
#[derive(Debug, Clone)]
pub struct Device {
    /// What it calls itself.
    pub name: Option<String>,
    /// Its address.
    pub address: IpAddr,
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
    /// The code with which a guest can come back, if there is a new one.
    pub recovery_code: Option<String>,
}

/// Why a refresh token gets no new tokens.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// It is unknown or has expired, or its session has ended.
    #[error("the refresh token is unknown or has expired")]
    Invalid,
    /// A later token was used before, so the session has ended.
    #[error("a later refresh token was used before")]
    Reused,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Sessions {
    /// The sessions in this store.
    #[must_use]
    pub fn new(db: Db, tokens: Arc<AccessTokens>, ended: Arc<EndedSessions>) -> Self {
        Self { db, tokens, ended }
    }

    /// Opens a session for a player; nothing if the player was deleted or has got another password in the meantime.
    pub async fn open(
        &self,
        player: Player,
        device: &Device,
        now: Timestamp,
    ) -> Result<Option<SessionTokens>> {
        let id = clock::new_id(now);
        let (refresh_token, new) = new_refresh_token(now);
        let opened = sessions::open(&self.db, id, &player, new, device.into(), now).await?;
        Ok(opened.then(|| self.tokens_for(player, id, refresh_token, now)))
    }

    /// Exchanges a refresh token for new tokens.
    pub async fn refresh(
        &self,
        token: &str,
        device: &Device,
        now: Timestamp,
    ) -> Result<SessionTokens, RefreshError> {
        let (refresh_token, new) = new_refresh_token(now);
        let hash = secret::hash(token.as_bytes());
        match sessions::exchange(&self.db, hash, new, device.into(), now).await? {
            Exchange::Issued { session, player } => {
                Ok(self.tokens_for(*player, session, refresh_token, now))
            }
            Exchange::Reused { session } => {
                tracing::warn!(%session, "a superseded refresh token was used; its session was ended");
                self.ended.add([session], now);
                Err(RefreshError::Reused)
            }
            Exchange::Invalid => Err(RefreshError::Invalid),
        }
    }

    /// The sessions of a player that can still be used, newest first; with `before`, only older ones.
    pub async fn list(
        &self,
        player: Uuid,
        before: Option<Uuid>,
        limit: u64,
        now: Timestamp,
    ) -> Result<Vec<Session>> {
        let used_after = Timestamp::from_micros(now.micros() - REFRESH_LIFETIME);
        Ok(sessions::list(&self.db, player, used_after, before, limit).await?)
    }

    /// Ends a session of a player, and says whether it was open. Its tokens no longer work.
    pub async fn end(&self, player: Uuid, id: Uuid, now: Timestamp) -> Result<bool> {
        let existed = sessions::end(&self.db, player, id, now).await?;
        self.ended.add(existed.then_some(id), now);
        Ok(existed)
    }

    /// Ends all sessions of a player but one.
    pub async fn end_others(&self, player: Uuid, kept: Uuid, now: Timestamp) -> Result<()> {
        let work = store::begin(&self.db).await?;
        let ended = sessions::end_others(&work, player, kept, now).await?;
        store::commit(work).await?;
        self.ended.add(ended, now);
        Ok(())
    }

    /// The key from which the recovery codes of guests are derived.
    pub(super) fn recovery_key(&self) -> [u8; 32] {
        self.tokens.recovery_key()
    }

    /// Learns of sessions that a committed transaction has ended.
    pub(super) fn have_ended(&self, sessions: Vec<Uuid>, now: Timestamp) {
        self.ended.add(sessions, now);
    }

    fn tokens_for(
        &self,
        player: Player,
        session: Uuid,
        refresh_token: String,
        now: Timestamp,
    ) -> SessionTokens {
        let access_token = self.tokens.sign(player.id, session, player.is_guest(), now);
        SessionTokens { player, access_token, refresh_token, recovery_code: None }
    }
}

impl From<&Device> for Whereabouts {
    fn from(device: &Device) -> Self {
        let name = device.name.as_deref();
        Self {
            device: name.map(|name| name.chars().take(DEVICE_LENGTH).collect()),
            address: device.address.to_string(),
        }
    }
}

fn new_refresh_token(now: Timestamp) -> (String, NewRefreshToken) {
    let token = secret::token();
    let hash = secret::hash(token.as_bytes());
    let expires = Timestamp::from_micros(now.micros() + REFRESH_LIFETIME);
    (token, NewRefreshToken { hash, expires })
}
