//! Logging in, staying logged in, logging out.

pub mod create;
pub mod delete;
pub mod refresh;
