//! Who is calling and what they may do: accounts, passwords, sessions, access tokens, personal access tokens.

pub mod accounts;
pub mod attempts;
mod crypto;
pub mod passwords;
pub mod personal;
pub mod profile;
pub mod scope;
pub mod sessions;
pub mod tokens;

use domain::time::Timestamp;
use uuid::Uuid;

pub use accounts::{AccountError, Accounts, EmailChange, NewAccount, ProfileChange};
pub use attempts::{LoginAttempts, TooManyFailures};
pub use personal::{CreateTokenError, NewPersonalToken, PersonalTokenError, PersonalTokens};
pub use profile::InvalidProfile;
pub use scope::{Requirement, Scope, Scopes};
pub use sessions::{RefreshError, SessionTokens, Sessions};
pub use tokens::{AccessTokens, TokenError};

/// The player behind a valid access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The player.
    pub player: Uuid,
    /// The session of the token, or the id of the personal access token.
    pub session: Uuid,
    /// Whether the player is a guest.
    pub guest: bool,
    /// What the token may do.
    pub scopes: Scopes,
    /// When it expires.
    pub expires: Timestamp,
}
