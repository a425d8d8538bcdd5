//! Invitations to matches that have not started.

pub mod create;
pub mod delete;
pub mod list;
