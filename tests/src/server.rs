//! Servers for tests, each with its own port and database.

use std::sync::Arc;

use api::{config::Config, startup};
use domain::time::Timestamp;
use service::{Clock, live::Matches, tasks::Tasks};
use tempfile::TempDir;

use crate::postgres::new_database;

/// The store that a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// A separate SQLite file.
    Sqlite,
    /// A separate database in the private Postgres.
    Postgres,
}

/// Environment variables for processes started by tests and benchmarks: no limits per client.
pub const UNLIMITED: [(&str, &str); 13] = [
    ("TELAR_RATE_REQUESTS", "0"),
    ("TELAR_RATE_MOVES", "0"),
    ("TELAR_RATE_ADDRESS", "0"),
    ("TELAR_RATE_SIGN_INS", "0"),
    ("TELAR_RATE_APPLICATIONS", "0"),
    ("TELAR_RATE_FAILURES", "0"),
    ("TELAR_RATE_EXPORTS", "0"),
    ("TELAR_RATE_HINTS", "0"),
    ("TELAR_CONNECTIONS_PER_ADDRESS", "0"),
    ("TELAR_STREAMS_PER_PLAYER", "0"),
    ("TELAR_STREAMS_PER_ADDRESS", "0"),
    ("TELAR_EXPORTS_PER_PLAYER", "0"),
    ("TELAR_EXPORTS_PER_ADDRESS", "0"),
];

/// A running server.
#[derive(Debug)]
pub struct Server {
    /// `http://127.0.0.1:…`
    pub url: String,
    /// The same for the metrics, if they have an address of their own.
    pub metrics_url: Option<String>,
    /// Its configuration.
    pub config: Config,
    /// The clock that it goes by.
    pub clock: Clock,
    stop: startup::Stop,
    running: tokio::task::JoinHandle<std::io::Result<()>>,
    directory: Arc<TempDir>,
}

impl Server {
    /// Starts a server on an empty store.
    pub async fn start(store: Store) -> Self {
        Self::start_with(store, |_| {}).await
    }

    /// Starts a server on an empty store with a changed configuration.
    pub async fn start_with(store: Store, change: impl FnOnce(&mut Config)) -> Self {
        Self::start_at_with(store, Clock::system(), change).await
    }

    /// Starts a server on an empty store. No time passes there until its clock is advanced.
    pub async fn start_frozen(store: Store) -> Self {
        Self::start_at_with(store, frozen_clock(), |_| {}).await
    }

    /// Starts a server on an empty store that goes by this clock, configured a little differently.
    pub async fn start_at_with(
        store: Store,
        clock: Clock,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let directory = Arc::new(tempfile::tempdir().expect("a directory"));
        let database = match store {
            Store::Sqlite => None,
            Store::Postgres => Some(new_database().await),
        };
        let mut config = Config::for_directory(directory.path().to_owned(), database);
        change(&mut config);
        Self::serve(config, clock, directory).await
    }

    /// Starts another server on the same store, which goes by the same clock.
    pub async fn replica(&self) -> Self {
        Self::serve(self.config.clone(), self.clock.clone(), Arc::clone(&self.directory)).await
    }

    /// Starts another server with this configuration, which goes by the same clock.
    pub async fn replica_with(&self, config: Config) -> Self {
        Self::serve(config, self.clock.clone(), Arc::clone(&self.directory)).await
    }

    /// Stops this server and starts another one on the same store.
    pub async fn restart(self) -> Self {
        let (config, clock) = (self.config.clone(), self.clock.clone());
        let directory = Arc::clone(&self.directory);
        self.stop().await;
        Self::serve(config, clock, directory).await
    }

    /// Stops this server and starts another one on the same store. No time passes there until its clock is advanced.
    pub async fn restart_frozen(mut self) -> Self {
        self.clock = frozen_clock();
        self.restart().await
    }

    /// Stops this server and starts another one on the same store with a changed configuration.
    pub async fn restart_with(mut self, change: impl FnOnce(&mut Config)) -> Self {
        change(&mut self.config);
        self.restart().await
    }

    /// Shuts the server down as SIGTERM would.
    pub async fn stop(self) {
        self.stop.stop().await;
        self.running.await.expect("the server ends").expect("the server ends well");
    }

    /// Its background tasks.
    #[must_use]
    pub fn tasks(&self) -> &Tasks {
        self.stop.tasks()
    }

    /// Its matches.
    #[must_use]
    pub fn matches(&self) -> &Matches {
        self.stop.matches()
    }

    async fn serve(config: Config, clock: Clock, directory: Arc<TempDir>) -> Self {
        // The future is too large for the stack of its caller.
        let starting = Box::pin(startup::build(&config, clock.clone()));
        let running = starting.await.expect("the server starts");
        let url = format!("http://{}", running.address);
        let metrics_url = running.metrics_address().map(|address| format!("http://{address}"));
        let (server, stop) = running.split();
        let running = actix_web::rt::spawn(server);
        Self { url, metrics_url, config, clock, stop, running, directory }
    }
}

/// A clock that shows the beginning of 2026 until it is advanced.
#[must_use]
pub fn frozen_clock() -> Clock {
    Clock::manual(Timestamp::from_micros(1_767_225_600_000_000))
}
