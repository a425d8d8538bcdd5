//! Bots.

pub mod list;
