//! Who is asking, and what they may do: access tokens, refresh tokens, personal access tokens, passwords.

pub mod attempts;
pub mod caller;
pub mod crypto;
pub mod passwords;
pub mod personal;
pub mod scope;
pub mod sessions;
pub mod tokens;

pub use caller::{Caller, MaybeCaller, Parting};
pub use scope::{Need, Scope, Scopes};
