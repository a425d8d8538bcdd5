//! Guests and accounts: created, logged in to, changed.

use std::{net::IpAddr, sync::Arc};

use serde::Deserialize;
use store::{
    Db,
    players::{self, Player},
};
use uuid::Uuid;

use super::{
    LoginAttempts, Passwords, SessionTokens, Sessions, TooManyFailures,
    profile::{InvalidProfile, name_key, valid_email, valid_name, valid_password},
};
use crate::{
    clock::Clock,
    creations::{self, KeyedRequest},
    error::Error,
    names::NameCache,
    secret,
};

/// Creates and changes guests and accounts, and logs them in.
#[derive(Debug)]
pub struct Accounts {
    db: Db,
    clock: Clock,
    names: Arc<NameCache>,
    attempts: LoginAttempts,
    passwords: Passwords,
    /// The sessions that logging in opens.
    pub sessions: Sessions,
}

/// An account to create.
#[derive(Clone)]
pub struct NewAccount {
    /// The public name.
    pub name: String,
    /// The password.
    pub password: String,
    /// The e-mail address.
    pub email: Option<String>,
}

/// A change to a player. What is `None` stays as it is.
#[derive(Clone, Default)]
pub struct ProfileChange {
    /// A new name.
    pub name: Option<String>,
    /// What happens to the e-mail address.
    pub email: EmailChange,
    /// A new password. It makes a guest an account.
    pub password: Option<String>,
    /// The current password, which an account needs to change its password or e-mail address.
    pub current_password: Option<String>,
}

/// A change of an e-mail address; tells `null` from a field that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(from = "Option<String>")]
pub enum EmailChange {
    /// It stays as it is.
    #[default]
    Keep,
    /// It is removed.
    Remove,
    /// It is replaced.
    Set(String),
}

impl From<Option<String>> for EmailChange {
    fn from(email: Option<String>) -> Self {
        email.map_or(Self::Remove, Self::Set)
    }
}

/// Why an account was not created, changed or logged in to.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// A field of the profile is not valid.
    #[error(transparent)]
    Invalid(#[from] InvalidProfile),
    /// The name belongs to another account.
    #[error("the name is taken")]
    NameTaken,
    /// There is no account with this name and password.
    #[error("name or password is wrong")]
    WrongCredentials,
    /// The password of the account is missing or wrong.
    #[error("the password is wrong")]
    WrongPassword,
    /// Too many wrong passwords before.
    #[error(transparent)]
    TooManyFailures(#[from] TooManyFailures),
    /// The player was deleted.
    #[error("the player was deleted")]
    Deleted,
    /// Something below failed.
    #[error(transparent)]
    Service(#[from] Error),
}

impl From<store::Error> for AccountError {
    fn from(error: store::Error) -> Self {
        match error {
            // The name is the only thing about a player that is unique.
            store::Error::Taken(_) => Self::NameTaken,
            error => Self::Service(error.into()),
        }
    }
}

type Result<T> = std::result::Result<T, AccountError>;

impl Accounts {
    /// The accounts in this store.
    #[must_use]
    pub fn new(
        db: Db,
        clock: Clock,
        names: Arc<NameCache>,
        sessions: Sessions,
        attempts: LoginAttempts,
        passwords: Passwords,
    ) -> Self {
        Self { db, clock, names, attempts, passwords, sessions }
    }

    /// The player with this id.
    pub async fn find(&self, id: Uuid) -> Result<Option<Player>> {
        Ok(players::find(&self.db, id).await?)
    }

    /// Creates a guest, named `Guest` and a number unless a name is given, and opens a session.
    pub async fn create_guest(
        &self,
        name: Option<&str>,
        address: IpAddr,
        request: KeyedRequest<'_>,
    ) -> Result<SessionTokens> {
        let now = self.clock.now();
        let name = name.map(valid_name).transpose()?;
        // A key alone would not tell a guest from a stranger who happens to use the same one.
        let address = secret::hash(address.to_string().as_bytes());
        let scope = format!("guests/{}", hex::encode(&address[..8]));
        let id = creations::claim(&self.db, &scope, request.key, request.body, now).await?;
        let name = name.unwrap_or_else(|| format!("Guest {}", &id.simple().to_string()[26..]));
        let guest = Player {
            id,
            name,
            name_key: None,
            email: None,
            password_hash: None,
            created_at: now.micros(),
            account_since: None,
        };
        players::insert_missing(&self.db, vec![guest]).await?;
        let player = self.find(id).await?.ok_or(AccountError::Deleted)?;
        if !player.is_guest() {
            // The guest has become an account since: only its password opens sessions now.
            return Err(Error::KeyReused.into());
        }
        Ok(self.sessions.open(player, now).await?)
    }

    /// Creates an account and opens a session.
    pub async fn register(
        &self,
        account: NewAccount,
        address: IpAddr,
        request: KeyedRequest<'_>,
    ) -> Result<SessionTokens> {
        let now = self.clock.now();
        let name = valid_name(&account.name)?;
        let password = valid_password(account.password)?;
        let email = account.email.as_deref().map(valid_email).transpose()?;
        let id = creations::claim(&self.db, "players", request.key, request.body, now).await?;
        let player = if let Some(player) = self.find(id).await? {
            player
        } else {
            let player = Player {
                id,
                name_key: Some(name_key(&name)),
                name,
                email,
                password_hash: Some(self.passwords.hash(password, address).await?),
                created_at: now.micros(),
                account_since: Some(now.micros()),
            };
            players::insert(&self.db, player.clone()).await?;
            player
        };
        Ok(self.sessions.open(player, now).await?)
    }

    /// Opens a session for the account with this name and password.
    pub async fn log_in(
        &self,
        name: &str,
        password: String,
        address: IpAddr,
    ) -> Result<SessionTokens> {
        let key = name_key(name.trim());
        let attempt = self.attempts.begin(&key, address, self.clock.now())?;
        let player = players::find_by_name_key(&self.db, &key).await?;
        let stored = player.as_ref().and_then(|player| player.password_hash.clone());
        let is_right = self.passwords.verify(password, stored, address).await?;
        let player = player.filter(|_| is_right).ok_or(AccountError::WrongCredentials)?;
        self.attempts.succeed(attempt);
        Ok(self.sessions.open(player, self.clock.now()).await?)
    }

    /// Checks the password of an account. A guest has none, so there is nothing to check.
    pub async fn confirm(
        &self,
        player: &Player,
        password: Option<String>,
        address: IpAddr,
    ) -> Result<()> {
        let Some(stored) = player.password_hash.clone() else { return Ok(()) };
        let attempt = self.attempts.begin(&player.id.to_string(), address, self.clock.now())?;
        // A missing password is checked like a wrong one, so that it counts as an attempt and takes as long.
        let password = password.unwrap_or_default();
        if !self.passwords.verify(password, Some(stored), address).await? {
            return Err(AccountError::WrongPassword);
        }
        self.attempts.succeed(attempt);
        Ok(())
    }

    /// Changes the name, e-mail address or password of a player.
    pub async fn update(&self, id: Uuid, change: ProfileChange, address: IpAddr) -> Result<Player> {
        let before = self.find(id).await?.ok_or(AccountError::Deleted)?;
        if change.password.is_some() || change.email != EmailChange::Keep {
            self.confirm(&before, change.current_password, address).await?;
        }
        let mut after = before.clone();
        if let Some(name) = change.name {
            after.name = valid_name(&name)?;
        }
        match change.email {
            EmailChange::Keep => {}
            EmailChange::Remove => after.email = None,
            EmailChange::Set(email) => after.email = Some(valid_email(&email)?),
        }
        if let Some(password) = change.password {
            let password = valid_password(password)?;
            after.password_hash = Some(self.passwords.hash(password, address).await?);
            after.account_since = before.account_since.or(Some(self.clock.now().micros()));
        }
        after.name_key = (!after.is_guest()).then(|| name_key(&after.name));
        let after = players::update(&self.db, before, after).await?;
        let after = after.ok_or(AccountError::Deleted)?;
        self.names.forget(after.id);
        Ok(after)
    }
}
