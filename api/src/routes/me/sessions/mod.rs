//! The sessions of the authenticated player.

pub mod delete;
pub mod delete_others;
pub mod list;
