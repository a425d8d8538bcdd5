//! Telar's store: the event log, the ordered feed and the tables, on SQLite and Postgres. All SQL lives here.

pub mod access_tokens;
pub mod connection;
pub mod creations;
pub mod deletions;
mod encryption;
#[expect(missing_docs, reason = "columns are described by the migrations")]
pub mod entities;
pub mod error;
pub mod event_log;
pub mod expiry;
pub mod followers;
pub mod invitations;
pub mod match_list;
pub mod matches;
pub mod players;
pub mod presence;
pub mod private;
pub mod rematches;
pub mod sessions;
pub mod statistics;
pub mod webhooks;

pub use connection::{
    Backend, Connection, OpenError, Settings, begin, commit, connect, migrate, take_turn,
};
pub use encryption::StorageKeys;
pub use error::{Error, Result};
pub use event_log::EventLog;
pub use match_list::{ListedMatch, MatchFilter};

/// A pool of connections to the database. Callers only hand it on.
pub type Db = sea_orm::DatabaseConnection;
/// An open transaction. Callers only hand it on.
pub type Transaction = sea_orm::DatabaseTransaction;
