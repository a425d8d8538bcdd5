//! What end-to-end tests and benchmarks share: a private Postgres, servers of their own, and players.
#![expect(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "a test that cannot be carried out has failed"
)]

pub mod client;
pub mod eventually;
pub mod fleet;
pub mod history;
pub mod postgres;
pub mod process;
pub mod random_play;
pub mod receiver;
pub mod server;
pub mod stream;
