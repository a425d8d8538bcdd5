//! What the tests of this crate share: a store in a file of its own.

use domain::time::Timestamp;
use store::{EventLog, Settings, StorageKeys};
use tempfile::TempDir;
use tokio::task::JoinHandle;

use crate::{clock::Clock, live::Matches};

/// A store in a file of its own. Nothing is written to its log until a writer is started.
pub(crate) struct Store {
    directory: TempDir,
    pub(crate) log: EventLog,
    pub(crate) clock: Clock,
}

impl Store {
    pub(crate) async fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let log = open_log(&directory).await;
        store::migrate(log.database(), None).await.expect("a schema");
        Self { directory, log, clock: Clock::manual(Timestamp::from_micros(1)) }
    }

    /// The matches of this store, in memory.
    pub(crate) async fn matches(&self) -> Matches {
        Matches::open(self.log.clone(), self.clock.clone(), 1 << 20).await.expect("matches")
    }

    /// The matches of this store, in very little memory.
    pub(crate) async fn small_matches(&self) -> Matches {
        Matches::open(self.log.clone(), self.clock.clone(), 1 << 14).await.expect("matches")
    }

    /// The matches of the same store in the memory of another process, with a writer that runs.
    pub(crate) async fn elsewhere(&self) -> Matches {
        let log = open_log(&self.directory).await;
        start_writer(&log);
        Matches::open(log, self.clock.clone(), 1 << 20).await.expect("matches")
    }
}

async fn open_log(directory: &TempDir) -> EventLog {
    let data_dir = directory.path().to_owned();
    let settings =
        Settings { database_url: None, read_url: None, read_only: false, data_dir, connections: 4 };
    let keys = StorageKeys::new(&[[3; 32]]);
    EventLog::new(store::connect(&settings).await.expect("a store"), keys)
}

/// Starts a writer, which runs until it is aborted or the test ends.
pub(crate) fn start_writer(log: &EventLog) -> JoinHandle<()> {
    let log = log.clone();
    tokio::spawn(async move { log.run_writer(std::future::pending()).await })
}
