//! Who is asking: access tokens, refresh tokens, passwords.

pub mod caller;
pub mod passwords;
pub mod sessions;
pub mod tokens;

pub use caller::{Caller, MaybeCaller};
