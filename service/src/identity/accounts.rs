//! Guests and accounts: created and logged in to.

use std::{net::IpAddr, sync::Arc, time::Duration};

use store::{
    Connection, Db,
    players::{self, Player},
};
use uuid::{Uuid, Version};

use super::{
    Device, LoginAttempts, Passwords, PersonalTokens, SessionTokens, Sessions, TooManyFailures,
    attempts::LoginAttempt,
    profile::{InvalidProfile, look_key, name_key, valid_email, valid_name, valid_password},
};
use crate::{clock::Clock, creations, error::Error, names::NameCache, secret, turns::Turns};

/// How long the creation of a guest can be retried. Afterwards its key is of no use to anybody who may have found it.
const GUEST_RETRIES: Duration = Duration::from_mins(15);

/// Creates and changes guests and accounts, and logs them in.
#[derive(Debug)]
pub struct Accounts {
    pub(super) db: Db,
    pub(super) clock: Clock,
    pub(super) names: Arc<NameCache>,
    pub(super) attempts: LoginAttempts,
    pub(super) passwords: Passwords,
    registrations: Turns,
    pub(super) personal_tokens: Arc<PersonalTokens>,
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

/// Why an account was not created, changed or logged in to.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// A field of the profile is not valid.
    #[error(transparent)]
    Invalid(#[from] InvalidProfile),
    /// The name belongs to another account, or looks like its name.
    #[error("the name is taken")]
    NameTaken,
    /// There is no account with this name and password.
    #[error("name or password is wrong")]
    WrongCredentials,
    /// The recovery code is wrong, or was used before.
    #[error("the recovery code is wrong")]
    WrongRecoveryCode,
    /// The password of the account is missing or wrong.
    #[error("the password is wrong")]
    WrongPassword,
    /// The key with which a guest is created could be guessed.
    #[error("the key for creating a guest is not a random UUID")]
    WeakKey,
    /// A token that should remain valid is not one of the player's, or the password does not change.
    #[error("no such token to keep")]
    NoSuchToken,
    /// The player belongs to an application, which alone changes the profile.
    #[error("the player belongs to an application")]
    Managed,
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
            // The name and its look are all that is unique about a player.
            store::Error::Taken(_) => Self::NameTaken,
            error => Self::Service(error.into()),
        }
    }
}

pub(super) type Result<T> = std::result::Result<T, AccountError>;

impl Accounts {
    /// The accounts in this store.
    #[must_use]
    pub fn new(
        db: Db,
        clock: Clock,
        names: Arc<NameCache>,
        sessions: Sessions,
        personal_tokens: Arc<PersonalTokens>,
        attempts: LoginAttempts,
        passwords: Passwords,
    ) -> Self {
        let registrations = Turns::default();
        Self { db, clock, names, attempts, passwords, registrations, personal_tokens, sessions }
    }

    /// The player with this id.
    pub async fn find(&self, id: Uuid) -> Result<Option<Player>> {
        Ok(players::find(&self.db, id).await?)
    }

    /// Creates a guest, named `Guest` and a number unless a name is given, and opens a session with a recovery code.
    ///
    /// A retry opens another session of the same guest, and a guest has no password: the key is all that tells the guest from a
    /// stranger at the same address. So it has to be one that nobody can guess, and it works for a short time only.
    pub async fn create_guest(
        &self,
        name: Option<&str>,
        key: Option<&str>,
        device: &Device,
    ) -> Result<SessionTokens> {
        let now = self.clock.now();
        let name = name.map(valid_name).transpose()?;
        if let Some(name) = &name {
            self.check_free(&self.db, name).await?;
        }
        let key = key.map(guest_key).transpose()?;
        let address = secret::hash(device.address.to_string().as_bytes());
        let scope = format!("guests/{}", hex::encode(&address[..8]));
        let (key, request) = (key.as_deref(), name.as_deref().unwrap_or_default().as_bytes());
        let claimed = creations::claim_for(&self.db, &scope, key, request, now, GUEST_RETRIES);
        let id = claimed.await?;
        let name = name.unwrap_or_else(|| format!("Guest {}", &id.simple().to_string()[26..]));
        players::insert_missing(&self.db, vec![Player::guest(id, name, now)]).await?;
        let player = self.find(id).await?.ok_or(AccountError::Deleted)?;
        if !player.is_guest() {
            // The guest has become an account since: only its password opens sessions now.
            return Err(Error::KeyReused.into());
        }
        let recovery_code = self.first_code(&player).await?;
        let session = self.sessions.open(player, device, now).await?;
        let session = session.ok_or(AccountError::Deleted)?;
        Ok(SessionTokens { recovery_code, ..session })
    }

    /// Creates an account and opens a session. A retry has to know the password, like a log-in.
    pub async fn register(
        &self,
        account: NewAccount,
        key: Option<&str>,
        device: &Device,
    ) -> Result<SessionTokens> {
        let now = self.clock.now();
        let name = valid_name(&account.name)?;
        let email = account.email.as_deref().map(valid_email).transpose()?;
        let password = valid_password(account.password, &name, email.as_deref())?;
        // Simultaneous retries would count as attempts to guess the password.
        let _turn = match key {
            Some(key) => Some(self.registrations.take(key).await),
            None => None,
        };
        // Without the password: nothing that is derived from it may be stored, except its hash.
        let request = format!("{name}\n{}", email.as_deref().unwrap_or_default());
        let id = creations::claim(&self.db, "players", key, request.as_bytes(), now).await?;
        if let Some(player) = self.find(id).await? {
            return self.register_again(player, password, device).await;
        }
        let player = Player {
            name_key: Some(name_key(&name)),
            look_key: Some(look_key(&name)),
            email,
            password_hash: Some(self.passwords.hash(password.clone(), device.address).await?),
            account_since: Some(now.micros()),
            ..Player::guest(id, name, now)
        };
        match players::insert(&self.db, player.clone()).await {
            Ok(()) => self.open_session(player, device).await,
            Err(store::Error::Taken(_)) => match self.find(id).await? {
                // Another replica was faster with the same request.
                Some(player) => self.register_again(player, password, device).await,
                None => Err(AccountError::NameTaken),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a session for an account that an earlier request with the same key has created.
    async fn register_again(
        &self,
        player: Player,
        password: String,
        device: &Device,
    ) -> Result<SessionTokens> {
        let key = player.name_key.clone().unwrap_or_default();
        let attempt = self.attempts.begin(&key, device.address, self.clock.now())?;
        match self.authenticate(attempt, Some(player), password, device.address).await {
            Ok(player) => self.open_session(player, device).await,
            // It is another request, or the password has changed since.
            Err(AccountError::WrongCredentials) => Err(Error::KeyReused.into()),
            Err(error) => Err(error),
        }
    }

    /// Opens a session for the account with this name and password.
    pub async fn log_in(
        &self,
        name: &str,
        password: String,
        device: &Device,
    ) -> Result<SessionTokens> {
        let key = name_key(name);
        let attempt = self.attempts.begin(&key, device.address, self.clock.now())?;
        let player = players::find_by_name_key(&self.db, &key).await?;
        let player = self.authenticate(attempt, player, password, device.address).await?;
        self.open_session(player, device).await
    }

    /// Checks that a guest does not take the name of an account, nor one that looks like it. An account may take the name of a
    /// guest: names belong to accounts only.
    pub(super) async fn check_free(&self, db: &impl Connection, name: &str) -> Result<()> {
        let is_taken = players::is_taken(db, &name_key(name), &look_key(name)).await?;
        if is_taken { Err(AccountError::NameTaken) } else { Ok(()) }
    }

    /// The player, if this is its password. Takes as long if there is no player.
    async fn authenticate(
        &self,
        attempt: LoginAttempt,
        player: Option<Player>,
        password: String,
        address: IpAddr,
    ) -> Result<Player> {
        let stored = player.as_ref().and_then(|player| player.password_hash.clone());
        let is_right = self.passwords.verify(password, stored, address).await?;
        let player = player.filter(|_| is_right).ok_or(AccountError::WrongCredentials)?;
        self.attempts.succeed(attempt);
        Ok(player)
    }

    /// Opens a session for an account whose password was right.
    async fn open_session(&self, player: Player, device: &Device) -> Result<SessionTokens> {
        let opened = self.sessions.open(player, device, self.clock.now()).await?;
        // It is not right any more.
        opened.ok_or(AccountError::WrongCredentials)
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
}

/// What is stored of the key with which a guest is created.
fn guest_key(key: &str) -> Result<String> {
    let is_random = Uuid::try_parse(key)
        .is_ok_and(|id| matches!(id.get_version(), Some(Version::Random | Version::SortRand)));
    if is_random {
        Ok(hex::encode(secret::hash(key.as_bytes())))
    } else {
        Err(AccountError::WeakKey)
    }
}
