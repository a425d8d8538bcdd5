//! Servers for tests, each with its own port and database.

use std::sync::Arc;

use api::{config::Config, startup};
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

/// Environment variables for processes started by tests and benchmarks: no rate limits.
pub const UNLIMITED: [(&str, &str); 5] = [
    ("TELAR_RATE_REQUESTS", "0"),
    ("TELAR_RATE_MOVES", "0"),
    ("TELAR_RATE_ADDRESS", "0"),
    ("TELAR_RATE_SIGN_INS", "0"),
    ("TELAR_RATE_FAILURES", "0"),
];

/// A running server.
#[derive(Debug)]
pub struct Server {
    /// `http://127.0.0.1:…`
    pub url: String,
    /// Its configuration.
    pub config: Config,
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
        let directory = Arc::new(tempfile::tempdir().expect("a directory"));
        let database = match store {
            Store::Sqlite => None,
            Store::Postgres => Some(new_database().await),
        };
        let mut config = Config::for_directory(directory.path().to_owned(), database);
        change(&mut config);
        Self::serve(config, directory).await
    }

    /// Starts another server on the same store.
    pub async fn replica(&self) -> Self {
        Self::serve(self.config.clone(), Arc::clone(&self.directory)).await
    }

    /// Stops this server and starts another one on the same store.
    pub async fn restart(self) -> Self {
        let (config, directory) = (self.config.clone(), Arc::clone(&self.directory));
        self.stop().await;
        Self::serve(config, directory).await
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

    async fn serve(config: Config, directory: Arc<TempDir>) -> Self {
        let running =
            startup::build(&config, service::Clock::system()).await.expect("the server starts");
        let url = format!("http://{}", running.address);
        let (server, stop) = running.split();
        Self { url, config, stop, running: actix_web::rt::spawn(server), directory }
    }
}
