//! The players whom the authenticated player has blocked.

pub mod delete;
pub mod list;
pub mod put;
