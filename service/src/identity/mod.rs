//! Who is calling and what they may do: accounts, passwords, sessions, access tokens, personal access tokens.

pub mod accounts;
pub mod application_scope;
pub mod attempts;
pub mod changes;
mod crypto;
pub mod ended;
pub mod format;
pub mod passwords;
pub mod personal;
pub mod profile;
pub mod recent;
mod recovery;
pub mod scope;
pub mod sessions;
pub mod tokens;

use domain::time::Timestamp;
use uuid::Uuid;

pub use accounts::{AccountError, Accounts, NewAccount};
pub use application_scope::{ApplicationScope, ApplicationScopes};
pub use attempts::{LoginAttempts, TooManyFailures};
pub use changes::{EmailChange, ProfileChange};
pub use ended::EndedSessions;
pub use passwords::Passwords;
pub use personal::{CreateTokenError, NewPersonalToken, PersonalTokenError, PersonalTokens};
pub use profile::InvalidProfile;
pub use recent::RecentIds;
pub use scope::{Requirement, Scope, Scopes};
pub use sessions::{Device, RefreshError, SessionTokens, Sessions};
pub use tokens::{AccessTokens, ApplicationToken, Bearer, TokenError};

/// The player behind a valid access token, or on whose behalf an application acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The player.
    pub player: Uuid,
    /// The session of the token, or the id of the personal access token. An application that acts on behalf of a player has no
    /// session: the id of the player takes its place.
    pub session: Uuid,
    /// Whether the player is a guest.
    pub guest: bool,
    /// What the token may do.
    pub scopes: Scopes,
    /// The token of the application that acts on behalf of the player, if one does.
    pub on_behalf: Option<ApplicationToken>,
    /// When it expires.
    pub expires: Timestamp,
}
