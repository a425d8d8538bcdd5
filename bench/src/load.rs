//! Durable moves over HTTP: on Postgres next to `pgbench` with one-row inserts on the same server, on SQLite next to a loop that
//! inserts batches of rows into a file.

use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use api::config::Config;
use bench::percentile;
use clap::Args;
use service::Clock;
use sqlx::{
    Connection, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use store::{Lanes, distribution};
use tempfile::TempDir;
use tests::postgres::{Disk, Postgres};

use crate::playing::{Measured, Playing};

/// Measures durable moves per second.
#[derive(Debug, Args)]
pub struct Load {
    #[command(flatten)]
    playing: Playing,
    /// Number of replicas that serve the clients; the seats of a match are spread over them.
    #[arg(long, value_delimiter = ',', default_values_t = [1])]
    replicas: Vec<usize>,
    /// Number of lanes of the store.
    #[arg(long, value_delimiter = ',', default_values_t = [64])]
    lanes: Vec<u16>,
    /// Give each lane a feed of its own, as on a cluster.
    #[arg(long)]
    separate_feeds: bool,
    /// Number of rounds, each with its own reference. The median is shown, because machines are noisy.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    rounds: u8,
    /// An additional setting of Postgres, as in `shared_buffers=4GB`.
    #[arg(long)]
    postgres: Vec<String>,
    /// Skip the reference.
    #[arg(long)]
    alone: bool,
    /// On SQLite instead of Postgres.
    #[arg(long, conflicts_with_all = ["replicas", "postgres", "separate_feeds"])]
    sqlite: bool,
}

/// A row as large as that of a move.
const PAYLOAD: &str = r#"{"command":{"type":"play","move":{"type":"roll","dice":["orange","yellow"]}},"draws":[[6,3],[6,1]],"events":[{"game":{"type":"dice_rolled","dice":[{"colour":"orange","face":4},{"colour":"yellow","face":2}]},"by":0}]}"#;
const TABLE: &str =
    "CREATE TABLE row (id uuid, seq bigint, at bigint, payload json, PRIMARY KEY (id, seq))";

/// Where the matches are stored.
enum Engine {
    Postgres(Postgres),
    /// Files in this directory.
    Sqlite(TempDir),
}

impl Engine {
    /// The URL of an empty store.
    async fn create(&self) -> String {
        match self {
            Self::Postgres(postgres) => postgres.create_database().await,
            Self::Sqlite(directory) => {
                let file = directory.path().join(format!("{}.db", Clock::system().new_id()));
                format!("sqlite://{}?mode=rwc", file.display())
            }
        }
    }

    const fn postgres(&self) -> Option<&Postgres> {
        match self {
            Self::Postgres(postgres) => Some(postgres),
            Self::Sqlite(_) => None,
        }
    }
}

/// A measurement, and the reference measured right before it.
struct Round {
    reference: f64,
    measured: Measured,
}

impl Round {
    fn ratio(&self) -> f64 {
        self.measured.rate / self.reference
    }

    /// The key by which rounds are sorted.
    fn standing(&self) -> f64 {
        if self.reference.is_nan() { self.measured.rate } else { self.ratio() }
    }
}

impl Load {
    /// Measures and prints a table.
    pub async fn run(&self) {
        let settings: Vec<&str> = self.postgres.iter().map(String::as_str).collect();
        let (engine, reference) = if self.sqlite {
            (Engine::Sqlite(tempfile::tempdir().expect("a directory")), "rows/s")
        } else {
            (Engine::Postgres(Postgres::start_with(Disk::Durable, &settings)), "pgbench/s")
        };
        println!(
            "every commit is flushed to disk; store, telar and the clients share this machine"
        );
        println!(
            "{:>5} {:>8} {:>8} {:>9} {:>8} {:>8} {:>10} {:>6} {:>13}   µs of processor a move: telar, Postgres, clients",
            "lanes",
            "replicas",
            "clients",
            "moves/s",
            "p50 ms",
            "p99 ms",
            reference,
            "ratio",
            "of all rounds"
        );
        let choices = self.lanes.iter().flat_map(|lanes| {
            let replicas = self.replicas.iter();
            replicas.flat_map(move |replicas| {
                self.playing.clients.iter().map(move |clients| (lanes, replicas, clients))
            })
        });
        for (lanes, replicas, clients) in choices {
            let mut rounds = Vec::new();
            for _ in 0..self.rounds {
                let url = engine.create().await;
                let reference = match &engine {
                    _ if self.alone => f64::NAN,
                    Engine::Postgres(postgres) => self.pgbench(postgres, &url, *clients),
                    Engine::Sqlite(_) => self.insert_batches(&url, *clients).await,
                };
                let (url, postgres) = (engine.create().await, engine.postgres());
                self.lay_out(&url, *lanes).await;
                let measured = self.playing.measure(postgres, &url, *replicas, *clients).await;
                rounds.push(Round { reference, measured });
            }
            rounds.sort_by(|one, other| one.standing().total_cmp(&other.standing()));
            let [worst, best] = [&rounds[0], &rounds[rounds.len() - 1]].map(Round::ratio);
            let range = if self.alone { String::new() } else { format!("{worst:.2} to {best:.2}") };
            let middle = rounds.len() / 2;
            let Round { reference, measured } = &mut rounds[middle];
            println!(
                "{lanes:>5} {replicas:>8} {clients:>8} {:>9.0} {:>8.2} {:>8.2} {reference:>10.0} {:>6.2} {range:>13}   {:.0} {:.0} {:.0}",
                measured.rate,
                percentile(&mut measured.latencies, 50),
                percentile(&mut measured.latencies, 99),
                measured.rate / *reference,
                measured.micros[0],
                measured.micros[1],
                measured.micros[2],
            );
        }
    }

    /// Makes an empty database a store with this many lanes.
    async fn lay_out(&self, url: &str, lanes: u16) {
        let directory = tempfile::tempdir().expect("a directory");
        let config = Config::for_directory(directory.path().to_owned(), Some(url.to_owned()));
        let db = store::connect(&config.store()).await.expect("a database");
        store::migrate(&db, Lanes::new(lanes)).await.expect("a schema");
        if self.separate_feeds {
            distribution::separate_feeds(&db).await.expect("a store that nobody uses");
        }
        store::close(&db).await.expect("a store");
    }

    /// Prepared one-row inserts with the same number of clients.
    fn pgbench(&self, postgres: &Postgres, url: &str, clients: usize) -> f64 {
        let run = |program: &str| {
            let mut command = Command::new(postgres.binaries.join(program));
            command.stderr(Stdio::null());
            command
        };
        let made = run("psql").args([url, "-qc", TABLE]).status().expect("psql");
        assert!(made.success());
        let script = tempfile::NamedTempFile::new().expect("a file");
        let insert = format!("INSERT INTO row VALUES (gen_random_uuid(), 1, 1, '{PAYLOAD}');\n");
        std::fs::write(script.path(), insert).expect("a script");
        let output = run("pgbench")
            .args(["-n", "-M", "prepared", "-j", "2", "-c", &clients.to_string()])
            .args(["-T", &self.playing.seconds.to_string(), "-f"])
            .arg(script.path())
            .arg(url)
            .output()
            .expect("pgbench");
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text
            .lines()
            .find(|line| line.starts_with("tps"))
            .unwrap_or_else(|| panic!("pgbench: {text}"));
        line.split_whitespace().nth(2).and_then(|tps| tps.parse().ok()).expect("a figure")
    }

    /// Rows per second of a loop that inserts one row per client in every transaction, with the settings of a store.
    async fn insert_batches(&self, url: &str, clients: usize) -> f64 {
        let options: SqliteConnectOptions = url.parse().expect("a URL");
        let options =
            options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
        let mut connection = SqliteConnection::connect_with(&options).await.expect("a file");
        sqlx::query(TABLE).execute(&mut connection).await.expect("a table");
        let (started, mut rows) = (Instant::now(), 0_u32);
        while started.elapsed() < Duration::from_secs(self.playing.seconds) {
            let mut batch = connection.begin().await.expect("a transaction");
            for _ in 0..clients {
                sqlx::query("INSERT INTO row VALUES ($1, 1, 1, $2)")
                    .bind(Clock::system().new_id())
                    .bind(PAYLOAD)
                    .execute(&mut *batch)
                    .await
                    .expect("a row");
                rows += 1;
            }
            batch.commit().await.expect("a commit");
        }
        f64::from(rows) / started.elapsed().as_secs_f64()
    }
}
