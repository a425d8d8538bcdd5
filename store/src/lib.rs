//! Telar's store: the event log, the ordered feed and the tables, on SQLite and Postgres. All SQL lives here.

pub mod access_tokens;
pub mod applications;
pub mod archive;
pub mod backup;
pub mod blocks;
pub mod connection;
pub mod creations;
pub mod db;
pub mod deletions;
pub mod distribution;
mod encryption;
#[expect(missing_docs, reason = "columns are described by the migrations")]
pub mod entities;
pub mod error;
pub mod event_log;
pub mod expiry;
pub mod followers;
pub mod heartbeat;
mod home;
pub mod invitations;
pub mod lane;
pub mod layout;
mod liveness;
pub mod match_list;
pub mod matches;
pub mod months;
pub mod partitions;
pub mod players;
pub mod presence;
pub mod private;
pub mod recovery_codes;
pub mod rematches;
pub mod replicas;
pub mod sessions;
pub mod signatures;
pub mod statistics;
pub mod transparency;
pub mod webhooks;

pub use archive::Archive;
pub use connection::{
    Backend, OpenError, Settings, check_schema, close, connect, migrate, take_turn,
};
pub use db::{Connection, Db, StandbyState, Transaction, begin, commit};
pub use encryption::{LinkKey, StorageKeys};
pub use error::{Error, Outage, Result};
pub use event_log::EventLog;
pub use lane::{Lane, Lanes};
pub use match_list::{ListedMatch, MatchFilter};
