//! Personal access tokens: `telar_pat_`, 40 random letters and digits, and a checksum of 6.
//!
//! What the store says about a token is cached for a second: a token that is revoked at another replica stops working
//! within that time, one that is revoked here at once.

use domain::time::Timestamp;
use quick_cache::sync::Cache;
use store::{
    Db,
    access_tokens::{self, AccessToken},
    players, sessions,
};
use tokio::sync::watch;
use uuid::Uuid;

use super::{
    Caller,
    format::SecretFormat,
    scope::{Scope, Scopes},
    tokens::TokenError,
};
use crate::{
    creations::{self, KeyedRequest},
    error::{Error, Result},
    secret,
};

/// What tokens look like.
pub const FORMAT: SecretFormat = SecretFormat::new("telar_pat_");
/// The number of tokens that a player may have.
pub const MAX_TOKENS: u64 = 50;
/// How long the store's answer is cached, in milliseconds.
const FRESH_MILLIS: i64 = 1_000;
/// The last use is written at most this often, in milliseconds.
const NOTED_EVERY_MILLIS: i64 = 60_000;
const CACHED: usize = 10_000;
const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// Creates, checks and revokes personal access tokens.
#[derive(Debug)]
pub struct PersonalTokens {
    db: Db,
    key: [u8; 32],
    cache: Cache<[u8; 32], CachedToken>,
    /// Grows with every revocation, which makes older cache entries worthless.
    generation: watch::Sender<u64>,
}

#[derive(Debug, Clone, Copy)]
struct CachedToken {
    caller: Caller,
    read_at: Timestamp,
    generation: u64,
}

/// Why a personal access token is refused, or could not be checked.
#[derive(Debug, thiserror::Error)]
pub enum PersonalTokenError {
    /// It is refused.
    #[error("the token is refused: {0:?}")]
    Token(TokenError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// A token to create.
#[derive(Debug, Clone)]
pub struct NewPersonalToken {
    /// What its owner calls it.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// For how many days it is valid.
    pub days: u16,
}

/// Why a token was not created.
#[derive(Debug, thiserror::Error)]
pub enum CreateTokenError {
    /// The name is empty or too long, or has a control character.
    #[error("not a valid name for a token")]
    Name,
    /// Tokens are valid for 1 to 366 days.
    #[error("not a valid number of days")]
    Days,
    /// It would have no scope.
    #[error("a token needs at least one scope")]
    NoScopes,
    /// The player has [`MAX_TOKENS`] already.
    #[error("the player has too many tokens")]
    TooMany,
    /// The session of the player has ended, perhaps on another replica.
    #[error("the session has ended")]
    SessionEnded,
    /// Something below failed.
    #[error(transparent)]
    Service(#[from] Error),
}

impl From<store::Error> for CreateTokenError {
    fn from(error: store::Error) -> Self {
        Self::Service(error.into())
    }
}

impl PersonalTokens {
    /// The tokens in this store, and the key from which secrets are derived.
    #[must_use]
    pub fn new(db: Db, key: [u8; 32]) -> Self {
        Self { db, key, cache: Cache::new(CACHED), generation: watch::Sender::new(0) }
    }

    /// Creates a token in a session of a player, and returns it with its secret. A retry of the request finds the same token.
    pub async fn create(
        &self,
        player: Uuid,
        session: Uuid,
        token: NewPersonalToken,
        request: KeyedRequest<'_>,
        now: Timestamp,
    ) -> Result<(AccessToken, String), CreateTokenError> {
        let name = valid_name(&token.name).ok_or(CreateTokenError::Name)?;
        if !(1..=366).contains(&token.days) {
            return Err(CreateTokenError::Days);
        }
        if token.scopes.is_empty() {
            return Err(CreateTokenError::NoScopes);
        }
        let scope = format!("tokens/{player}");
        let id = creations::claim(&self.db, &scope, request.key, request.body, now).await?;
        let mut token = AccessToken {
            id,
            token_hash: Vec::new(),
            player_id: player,
            name,
            scopes: token.scopes.into_iter().collect::<Scopes>().to_string(),
            created_at: now.micros(),
            expires_at: now.micros() + i64::from(token.days) * DAY_MICROS,
            last_used_at: None,
        };
        let work = store::begin(&self.db).await?;
        // One after the other: simultaneous requests must neither exceed the limit nor give a token two secrets. And the player
        // may have ended the session on another replica a moment ago.
        let exists = players::lock(&work, player).await?.is_some();
        if !(exists && sessions::is_open(&work, session).await?) {
            return Err(CreateTokenError::SessionEnded);
        }
        let secret = match access_tokens::find(&work, id).await? {
            Some(first) => {
                token = first;
                self.derive(&token)
            }
            None if access_tokens::count(&work, player).await? >= MAX_TOKENS => {
                return Err(CreateTokenError::TooMany);
            }
            None if request.key.is_some() => self.derive(&token),
            None => FORMAT.generate(),
        };
        token.token_hash = secret::hash(secret.as_bytes()).to_vec();
        access_tokens::insert_or_renew(&work, token.clone()).await?;
        store::commit(work).await?;
        self.forget();
        Ok((token, secret))
    }

    /// The secret of a token that is created under an idempotency key. It is derived, so that every retry gets the same one
    /// although only its hash is stored. A token that is revoked and created again has another secret.
    fn derive(&self, token: &AccessToken) -> String {
        let text = format!("{} {}", token.id, token.created_at);
        FORMAT.derived(&self.key, text.as_bytes())
    }

    /// The tokens of a player, newest first.
    pub async fn list(&self, player: Uuid) -> Result<Vec<AccessToken>> {
        Ok(access_tokens::list(&self.db, player).await?)
    }

    /// Revokes a token of a player, and says whether there was one.
    pub async fn revoke(&self, player: Uuid, id: Uuid) -> Result<bool> {
        let existed = access_tokens::delete(&self.db, player, id).await?;
        self.forget();
        Ok(existed)
    }

    /// The caller whom a token authenticates.
    pub async fn check(&self, token: &str, now: Timestamp) -> Result<Caller, PersonalTokenError> {
        let invalid = || PersonalTokenError::Token(TokenError::Invalid);
        if !FORMAT.fits(token) {
            return Err(invalid());
        }
        let hash = secret::hash(token.as_bytes());
        // Read first, so that a revocation during the query makes its result worthless.
        let generation = *self.generation.borrow();
        let fresh = self.cache.get(&hash).filter(|cached| {
            cached.generation == generation && now.millis_since(cached.read_at) < FRESH_MILLIS
        });
        let caller = if let Some(cached) = fresh {
            cached.caller
        } else {
            let caller = self.read(&hash, now).await?.ok_or_else(invalid)?;
            self.cache.insert(hash, CachedToken { caller, read_at: now, generation });
            caller
        };
        if caller.expires.micros() <= now.micros() {
            return Err(PersonalTokenError::Token(TokenError::Expired));
        }
        Ok(caller)
    }

    /// Drops what is cached about all tokens, because one has been revoked.
    pub fn forget(&self) {
        self.generation.send_modify(|generation| *generation += 1);
    }

    /// Changes whenever a token has been revoked here.
    #[must_use]
    pub fn revoked(&self) -> watch::Receiver<u64> {
        self.generation.subscribe()
    }

    /// Whether a token still exists, whichever replica may have revoked it.
    pub async fn exists(&self, id: Uuid) -> Result<bool> {
        Ok(access_tokens::exists(&self.db, id).await?)
    }

    async fn read(&self, hash: &[u8; 32], now: Timestamp) -> store::Result<Option<Caller>> {
        let Some(token) = access_tokens::find_by_hash(&self.db, hash).await? else {
            return Ok(None);
        };
        let Some(player) = players::find(&self.db, token.player_id).await? else {
            return Ok(None);
        };
        let due = now.micros() - NOTED_EVERY_MILLIS * 1_000;
        let is_due = token.last_used_at.is_none_or(|at| at <= due);
        if token.expires_at > now.micros() && is_due && !self.db.is_read_only() {
            access_tokens::note_use(&self.db, token.id, now).await?;
        }
        Ok(Some(Caller {
            player: token.player_id,
            session: token.id,
            guest: player.is_guest(),
            scopes: Scopes::parse(&token.scopes),
            on_behalf: None,
            expires: Timestamp::from_micros(token.expires_at),
        }))
    }
}

/// A name without surrounding spaces: 1 to 60 characters, none of them a control character.
fn valid_name(name: &str) -> Option<String> {
    let name = name.trim();
    let is_valid = (1..=60).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    is_valid.then(|| name.to_owned())
}
