//! What end-to-end tests and benchmarks share: a private Postgres, servers of their own, and players.
#![expect(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "a test that cannot be carried out has failed"
)]

pub mod client;
pub mod postgres;
pub mod random_play;
pub mod server;
