//! The laws for every registered game. A new game adds nothing here.

#![expect(clippy::unwrap_used, reason = "a law that cannot be checked has failed")]

mod declared;
mod forks;
mod golden;
mod hostile;
mod json;
mod layout;
mod luck;
mod notifications;
mod play;
mod proof;
mod secrecy;
mod table;
mod time;
mod words;
