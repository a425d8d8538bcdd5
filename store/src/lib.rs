//! Telar's store: the event log, the ordered feed and the tables, on SQLite and Postgres. All SQL lives here.

pub mod connection;
#[expect(missing_docs, reason = "columns are described by the migrations")]
pub mod entities;
pub mod error;
pub mod event_log;
pub mod invitations;
pub mod match_list;

pub use connection::{Backend, OpenError, Settings, begin, connect, migrate};
pub use error::{Error, Result};
pub use event_log::EventLog;
pub use match_list::{ListedMatch, MatchFilter};
