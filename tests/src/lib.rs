//! Parts that end-to-end tests and benchmarks share: a private Postgres, servers and clients.
#![expect(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "a test that cannot be carried out has failed"
)]

pub mod application;
pub mod bot_play;
pub mod client;
pub mod counted;
pub mod detour;
pub mod distributed;
pub mod eventually;
pub mod faults;
pub mod fleet;
pub mod fuzz;
pub mod history;
pub mod long_match;
pub mod postgres;
pub mod process;
pub mod proxy;
pub mod random_play;
pub mod receiver;
pub mod server;
pub mod socket;
pub mod statements;
pub mod stream;

/// The log of a server with this configuration, with a writer that runs as long as the test does.
pub async fn open_log(config: &api::config::Config) -> store::EventLog {
    let log = api::startup::open_store(config).await.expect("the store");
    let writer = log.clone();
    tokio::spawn(async move { writer.run_writer(std::future::pending()).await });
    log
}
