//! Guests: players without a password.

pub mod create;
pub mod recover;
