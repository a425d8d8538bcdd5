//! Telar's store: the event log, the ordered feed and the tables, on SQLite and Postgres. All SQL lives here.

pub mod connection;
#[expect(missing_docs, reason = "columns are described by the migrations")]
pub mod entities;
pub mod event_log;

pub use connection::{Backend, OpenError, Settings, begin, connect, migrate};
pub use event_log::EventLog;
