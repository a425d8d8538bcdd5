//! Parts that end-to-end tests and benchmarks share: a private Postgres, servers and clients.
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
pub mod proxy;
pub mod random_play;
pub mod receiver;
pub mod server;
pub mod stream;

/// The log in this database, with a writer that runs as long as the test does.
#[must_use]
pub fn open_log(db: store::Db) -> store::EventLog {
    let log = store::EventLog::new(db);
    let writer = log.clone();
    tokio::spawn(async move { writer.run_writer(std::future::pending()).await });
    log
}
