//! Durable moves over HTTP on Postgres, next to `pgbench` with one-row inserts on the same server.

use std::{
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use clap::Args;
use domain::games;
use serde_json::Value;
use tests::postgres::{Disk, Postgres};

use crate::http::{Connection, Listing};

/// Measures durable moves per second.
#[derive(Debug, Args)]
pub struct Load {
    /// How many clients play at once, each a match of its own.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 16, 64, 256])]
    clients: Vec<usize>,
    /// For how many seconds.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Only this game; all of them in turn if left out.
    #[arg(long)]
    game: Option<String>,
}

/// A running `telar` on a store of its own.
struct Telar {
    process: Child,
    host: String,
    _output: std::io::BufReader<std::process::ChildStdout>,
    _directory: tempfile::TempDir,
}

impl Telar {
    fn start(database_url: &str) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let binary = std::env::current_exe().expect("our own path").with_file_name("telar");
        let mut process = Command::new(&binary)
            .env("DATABASE_URL", database_url)
            .env("TELAR_DATA_DIR", directory.path())
            .env("TELAR_BIND", "127.0.0.1:0")
            .env("TELAR_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("{}: {error}; build it with cargo build --release", binary.display())
            });
        let mut output = std::io::BufReader::new(process.stdout.take().expect("its output"));
        let mut line = String::new();
        std::io::BufRead::read_line(&mut output, &mut line).expect("a line");
        let host = line.rsplit("http://").next().expect("an address").trim().to_owned();
        Self { process, host, _output: output, _directory: directory }
    }
}

impl Drop for Telar {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What all clients add to.
#[derive(Default)]
struct Tally {
    moves: AtomicU64,
    stop: AtomicBool,
}

impl Load {
    /// Measures, and prints a table.
    pub async fn run(&self) {
        let postgres = Postgres::start(Disk::Durable);
        println!(
            "fsync and synchronous_commit are on; Postgres, telar and the clients share this machine"
        );
        println!(
            "{:>8} {:>10} {:>9} {:>9} {:>12} {:>7}",
            "clients", "moves/s", "p50 ms", "p99 ms", "pgbench/s", "ratio"
        );
        for clients in &self.clients {
            let reference = self.pgbench(&postgres, *clients).await;
            let url = postgres.create_database().await;
            let telar = Telar::start(&url);
            let (moves, mut latencies) = self.play(&telar.host, *clients).await;
            latencies.sort_unstable();
            let at = |share: usize| {
                let index = latencies.len() * share / 100;
                latencies
                    .get(index.min(latencies.len().saturating_sub(1)))
                    .map_or(0.0, Duration::as_secs_f64)
                    * 1e3
            };
            println!(
                "{clients:>8} {moves:>10.0} {:>9.2} {:>9.2} {reference:>12.0} {:>7.2}",
                at(50),
                at(99),
                moves / reference
            );
        }
    }

    /// One-row inserts, prepared, with as many clients.
    async fn pgbench(&self, postgres: &Postgres, clients: usize) -> f64 {
        let url = postgres.create_database().await;
        let run = |program: &str| {
            let mut command = Command::new(postgres.binaries.join(program));
            command.stderr(Stdio::null());
            command
        };
        let table = "CREATE TABLE row (id uuid, seq bigint, at bigint, payload json, PRIMARY KEY (id, seq))";
        let made = run("psql").args([&url, "-qc", table]).status().expect("psql");
        assert!(made.success());
        let script = tempfile::NamedTempFile::new().expect("a file");
        let payload = r#"{"command":{"type":"play","move":{"type":"roll","dice":["orange","yellow"]}},"draws":[[6,3],[6,1]],"events":[{"game":{"type":"dice_rolled","dice":[{"colour":"orange","face":4},{"colour":"yellow","face":2}]},"by":0}]}"#;
        let insert = format!("INSERT INTO row VALUES (gen_random_uuid(), 1, 1, '{payload}');\n");
        std::fs::write(script.path(), insert).expect("a script");
        let output = run("pgbench")
            .args(["-n", "-M", "prepared", "-j", "2", "-c", &clients.to_string()])
            .args(["-T", &self.seconds.to_string(), "-f"])
            .arg(script.path())
            .arg(&url)
            .output()
            .expect("pgbench");
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text
            .lines()
            .find(|line| line.starts_with("tps"))
            .unwrap_or_else(|| panic!("pgbench: {text}"));
        line.split_whitespace().nth(2).and_then(|tps| tps.parse().ok()).expect("a figure")
    }

    async fn play(&self, host: &str, clients: usize) -> (f64, Vec<Duration>) {
        let tally = Arc::new(Tally::default());
        let mut tables = Vec::new();
        for number in 0..clients {
            let keys: Vec<&str> = games::all().map(|game| game.info().key).collect();
            let game = self.game.clone().unwrap_or_else(|| keys[number % keys.len()].to_owned());
            let (host, tally) = (host.to_owned(), Arc::clone(&tally));
            tables.push(tokio::spawn(async move { client(&host, &game, number, &tally).await }));
        }
        // Matches are set up first: what is measured begins when everybody plays.
        tokio::time::sleep(Duration::from_secs(2)).await;
        let (before, started) = (tally.moves.load(Ordering::Relaxed), Instant::now());
        tokio::time::sleep(Duration::from_secs(self.seconds)).await;
        let moves = tally.moves.load(Ordering::Relaxed) - before;
        let rate =
            f64::from(u32::try_from(moves).unwrap_or(u32::MAX)) / started.elapsed().as_secs_f64();
        tally.stop.store(true, Ordering::Relaxed);
        let mut latencies = Vec::new();
        for table in tables {
            latencies.extend(table.await.expect("a client that played on"));
        }
        (rate, latencies)
    }
}

/// Plays matches, one after the other, for all of their seats, until told to stop; how long each move took.
async fn client(host: &str, game: &str, number: usize, tally: &Tally) -> Vec<Duration> {
    let mut latencies = Vec::new();
    let mut connection = Connection::open(host).await;
    let seats = usize::from(games::find(game).expect("a game").info().min_seats);
    let mut tokens = Vec::new();
    for _ in 0..seats {
        tokens.push(connection.guest().await);
    }
    let mut choice = number;
    while !tally.stop.load(Ordering::Relaxed) {
        let body = format!(r#"{{"game":"{game}","seats":{seats}}}"#);
        let created: Value =
            connection.send("POST", "/v1/matches", &tokens[0], &body).await.json(201);
        let id = created["id"].as_str().expect("an id").to_owned();
        let mut document = created;
        for token in &tokens[1..] {
            let path = format!("/v1/matches/{id}/seats");
            document = connection.send("POST", &path, token, "{}").await.json(201);
        }
        let mut version = document["version"].as_u64().expect("a version");
        let waiting = document["seats"]
            .as_array()
            .expect("seats")
            .iter()
            .position(|seat| seat["to_act"] == true);
        let mut waiting = waiting.expect("somebody begins");
        while !tally.stop.load(Ordering::Relaxed) {
            let path = format!("/v1/matches/{id}/legal-moves");
            let listing: Listing =
                connection.send("GET", &path, &tokens[waiting], "").await.json(200);
            choice = choice
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let mv = &listing.moves[(choice >> 33) % listing.moves.len()].mv;
            let body = format!(r#"{{"move":{mv}}}"#);
            let path = format!("/v1/matches/{id}/moves");
            let started = Instant::now();
            let reply = connection.send("POST", &path, &tokens[waiting], &body).await;
            latencies.push(started.elapsed());
            let answer: Answer = reply.json(200);
            // What comes back is checked: the match has gone on by what happened, and says who is next.
            assert_eq!(answer.version, version + answer.events.len() as u64);
            version = answer.version;
            tally.moves.fetch_add(1, Ordering::Relaxed);
            let Some(seat) = answer.to_act.first() else {
                assert_eq!(answer.status, "finished");
                break;
            };
            waiting = *seat;
        }
    }
    latencies
}

#[derive(Debug, serde::Deserialize)]
struct Answer {
    version: u64,
    status: String,
    to_act: Vec<usize>,
    events: Vec<serde::de::IgnoredAny>,
}
