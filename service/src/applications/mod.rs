//! Applications: back ends with a credential of their own, which bring their own players.
//!
//! An application shows one of its secrets and gets a token, which is valid for as long as that secret is. What the store says
//! about an application is cached for a second: within that time, every replica notices that it was revoked.

mod manage;
mod players;

use std::{sync::Arc, time::Duration};

use domain::time::Timestamp;
use store::{
    Db,
    applications::{self, ApplicationSecret},
};
use uuid::Uuid;

pub use manage::{NewApplication, Rotated, create, end_sessions, list, revoke, rotate};
pub use players::{ExternalPlayerError, ExternalProfile, PlayerRef, Put};

use crate::{
    cache::TtlCache,
    error::Result,
    identity::{AccessTokens, ApplicationScopes, ApplicationToken, format::SecretFormat},
    names::NameCache,
    secret,
};

/// What secrets of applications look like.
pub const FORMAT: SecretFormat = SecretFormat::new("telar_app_");
/// How long the store's answer about an application is cached.
const FRESH: Duration = Duration::from_secs(1);
const CACHED: usize = 10_000;
/// How long it is cached whom a player belongs to. That never changes; deleted players are known otherwise.
const OWNED: Duration = Duration::from_mins(1);
const OWNED_CACHED: usize = 100_000;

/// Knows the applications, and whose player is whose.
#[derive(Debug)]
pub struct Applications {
    db: Db,
    tokens: Arc<AccessTokens>,
    names: Arc<NameCache>,
    known: TtlCache<Uuid, Arc<Application>>,
    owners: TtlCache<Uuid, Uuid>,
}

/// An application.
#[derive(Debug)]
pub struct Application {
    /// Its id, which is also its client id.
    pub id: Uuid,
    /// What the operator calls it.
    pub name: String,
    /// What it may do.
    pub scopes: ApplicationScopes,
    is_revoked: bool,
    secrets: Vec<ApplicationSecret>,
}

/// An application that has shown a valid secret.
#[derive(Debug, Clone)]
pub struct Client {
    /// The application.
    pub application: Arc<Application>,
    secret: Uuid,
}

impl Application {
    /// The secret with this text, if it is valid.
    fn secret(&self, text: &str, now: Timestamp) -> Option<Uuid> {
        let hash = secret::hash(text.as_bytes());
        // All of them are compared, in the same time whatever they are.
        let found = self.secrets.iter().fold(None, |found, known| {
            if secret::equal(&hash, &known.secret_hash) { Some(known) } else { found }
        });
        found.filter(|known| self.accepts(known, now)).map(|known| known.id)
    }

    fn accepts(&self, secret: &ApplicationSecret, now: Timestamp) -> bool {
        !self.is_revoked && secret.expires_at.is_none_or(|expires| expires > now.micros())
    }
}

impl Applications {
    /// The applications in this store.
    #[must_use]
    pub fn new(db: Db, tokens: Arc<AccessTokens>, names: Arc<NameCache>) -> Self {
        let known = TtlCache::with_entries(CACHED, FRESH);
        let owners = TtlCache::with_entries(OWNED_CACHED, OWNED);
        Self { db, tokens, names, known, owners }
    }

    /// The application with this id and secret, as far as that is known without asking the store.
    #[must_use]
    pub fn recall(&self, id: Uuid, secret: &str, now: Timestamp) -> Option<Client> {
        client(self.known.get(&id, now)?, secret, now)
    }

    /// The application with this id and secret.
    pub async fn authenticate(
        &self,
        id: Uuid,
        secret: &str,
        now: Timestamp,
    ) -> Result<Option<Client>> {
        if !FORMAT.fits(secret) {
            return Ok(None);
        }
        let application = self.find(id, now).await?;
        Ok(application.and_then(|application| client(application, secret, now)))
    }

    /// A token for an application, with some of its scopes.
    #[must_use]
    pub fn token(&self, client: &Client, scopes: ApplicationScopes, now: Timestamp) -> String {
        let scopes = scopes.intersection(client.application.scopes);
        self.tokens.sign_application(client.application.id, client.secret, scopes, now)
    }

    /// A token as far as it is still good: not if its application or its secret was revoked, and without scopes that the
    /// application no longer has.
    pub async fn check(
        &self,
        token: ApplicationToken,
        now: Timestamp,
    ) -> Result<Option<ApplicationToken>> {
        let Some(application) = self.find(token.application, now).await? else { return Ok(None) };
        let secret = application.secrets.iter().find(|secret| secret.id == token.secret);
        let scopes = token.scopes.intersection(application.scopes);
        let is_good = secret.is_some_and(|secret| application.accepts(secret, now));
        Ok(is_good.then_some(ApplicationToken { scopes, ..token }))
    }

    async fn find(&self, id: Uuid, now: Timestamp) -> Result<Option<Arc<Application>>> {
        if let Some(application) = self.known.get(&id, now) {
            return Ok(Some(application));
        }
        let Some((application, secrets)) = applications::find(&self.db, id).await? else {
            return Ok(None);
        };
        let application = Arc::new(Application {
            id,
            scopes: ApplicationScopes::parse(&application.scopes),
            is_revoked: application.revoked_at.is_some(),
            name: application.name,
            secrets,
        });
        self.known.put(id, Arc::clone(&application), now);
        Ok(Some(application))
    }
}

fn client(application: Arc<Application>, secret: &str, now: Timestamp) -> Option<Client> {
    let secret = application.secret(secret, now)?;
    Some(Client { application, secret })
}
