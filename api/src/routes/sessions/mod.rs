//! Sessions: log in, refresh tokens, log out.

pub mod create;
pub mod delete;
pub mod refresh;
