//! Changes to guests and accounts.

use std::net::IpAddr;

use serde::Deserialize;
use store::{
    access_tokens,
    players::{self, Player},
    recovery_codes, sessions,
};
use uuid::Uuid;

use super::{
    AccountError, Accounts,
    accounts::Result,
    profile::{look_key, name_key, valid_email, valid_name, valid_password},
};

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
    /// The personal access tokens that remain valid when the password changes.
    pub keep_tokens: Vec<Uuid>,
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

impl Accounts {
    /// Changes the name, e-mail address or password of a player. A new password ends everything that was opened with the old
    /// one, in the same transaction: all other sessions, the personal access tokens that are not to be kept, and a
    /// guest's recovery code.
    pub async fn update(
        &self,
        id: Uuid,
        session: Uuid,
        change: ProfileChange,
        address: IpAddr,
    ) -> Result<Player> {
        let before = self.find(id).await?.ok_or(AccountError::Deleted)?;
        if before.application_id.is_some() {
            return Err(AccountError::Managed);
        }
        let is_confirmed = change.password.is_some() || change.email != EmailChange::Keep;
        if is_confirmed {
            self.confirm(&before, change.current_password, address).await?;
        }
        let name = change.name.as_deref().map(valid_name).transpose()?;
        let email = match change.email {
            EmailChange::Keep => None,
            EmailChange::Remove => Some(None),
            EmailChange::Set(email) => Some(Some(valid_email(&email)?)),
        };
        self.check_kept(id, &change.keep_tokens, change.password.is_some()).await?;
        let password_hash = match change.password {
            Some(password) => {
                let name = name.as_deref().unwrap_or(&before.name);
                let email = email.as_ref().unwrap_or(&before.email).as_deref();
                let password = valid_password(password, name, email)?;
                Some(self.passwords.hash(password, address).await?)
            }
            None => None,
        };
        let is_new_password = password_hash.is_some();
        let now = self.clock.now();
        let work = store::begin(&self.db).await?;
        let current = players::lock(&work, id).await?.ok_or(AccountError::Deleted)?;
        // Another request may have changed the password since it was confirmed.
        if is_confirmed && current.password_hash != before.password_hash {
            return Err(AccountError::WrongPassword);
        }
        let mut after = current.clone();
        after.name = name.unwrap_or(after.name);
        after.email = email.unwrap_or(after.email);
        if let Some(hash) = password_hash {
            after.password_hash = Some(hash);
            after.account_since = after.account_since.or(Some(now.micros()));
        }
        let is_renamed = after.name != current.name;
        if !after.is_guest() && (is_renamed || current.is_guest()) {
            after.name_key = Some(name_key(&after.name));
            after.look_key = Some(look_key(&after.name));
        } else if is_renamed {
            self.check_free(&work, &after.name).await?;
        }
        let after = players::update(&work, current, after).await?;
        let mut ended = Vec::new();
        if is_new_password {
            ended = sessions::end_others(&work, id, session, now).await?;
            access_tokens::delete_others(&work, id, &change.keep_tokens).await?;
            recovery_codes::delete(&work, id).await?;
        }
        store::commit(work).await?;
        if is_new_password {
            self.sessions.have_ended(ended, now);
            self.personal_tokens.forget();
        }
        self.names.forget(after.id);
        Ok(after)
    }

    /// Checks that the tokens to keep exist, and that there is a reason to name them.
    async fn check_kept(&self, player: Uuid, kept: &[Uuid], is_new_password: bool) -> Result<()> {
        if kept.is_empty() {
            return Ok(());
        }
        let tokens = access_tokens::list(&self.db, player).await?;
        let exist = kept.iter().all(|id| tokens.iter().any(|token| token.id == *id));
        if exist && is_new_password { Ok(()) } else { Err(AccountError::NoSuchToken) }
    }
}
