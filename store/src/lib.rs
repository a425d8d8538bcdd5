//! Telar's store: the event log, the ordered feed and the tables, on SQLite and Postgres. All SQL lives here.

pub mod access_tokens;
pub mod backup;
pub mod connection;
pub mod creations;
pub mod db;
pub mod deletions;
#[expect(missing_docs, reason = "columns are described by the migrations")]
pub mod entities;
pub mod error;
pub mod event_log;
pub mod followers;
pub mod heartbeat;
pub mod invitations;
mod liveness;
pub mod match_list;
pub mod matches;
pub mod players;
pub mod presence;
pub mod rematches;
pub mod sessions;
pub mod statistics;
pub mod webhooks;

pub use connection::{Backend, Connection, OpenError, Settings, close, connect, migrate};
pub use db::{Db, Transaction, begin, commit};
pub use error::{Error, Outage, Result};
pub use event_log::EventLog;
pub use match_list::{ListedMatch, MatchFilter};
