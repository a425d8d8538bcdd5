//! Guests: players without a name of their own, for playing at once.

pub mod create;
