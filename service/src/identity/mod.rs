//! Who is calling and what they may do: accounts, passwords, sessions, access tokens, personal access tokens.

pub mod accounts;
pub mod attempts;
pub mod changes;
mod crypto;
pub mod ended;
pub mod passwords;
pub mod personal;
pub mod profile;
pub mod recent;
pub mod scope;
pub mod sessions;
pub mod tokens;

use domain::time::Timestamp;
use uuid::Uuid;

pub use accounts::{AccountError, Accounts, NewAccount};
pub use attempts::{LoginAttempts, TooManyFailures};
pub use changes::{EmailChange, ProfileChange};
pub use ended::EndedSessions;
pub use personal::{CreateTokenError, NewPersonalToken, PersonalTokenError, PersonalTokens};
pub use profile::InvalidProfile;
pub use recent::RecentIds;
pub use scope::{Requirement, Scope, Scopes};
pub use sessions::{Device, RefreshError, SessionTokens, Sessions};
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
