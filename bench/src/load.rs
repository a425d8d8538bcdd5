//! Durable moves over HTTP on Postgres, next to `pgbench` with one-row inserts on the same server.

use std::{
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use api::{
    clock,
    config::Config,
    event_store::{Appended, EventStore, Whole},
    store,
};
use bench::{
    cpu,
    http::{Connection, Listing},
    percentile,
    script::{self, Script},
    telar::Telar,
};
use clap::Args;
use domain::games;
use tests::postgres::{Disk, Postgres};
use uuid::Uuid;

/// Measures durable moves per second.
#[derive(Debug, Args)]
pub struct Load {
    /// How many clients play at once, each a match of its own.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 16, 64, 256])]
    pub clients: Vec<usize>,
    /// How many replicas serve them; the seats of a match are spread over them.
    #[arg(long, value_delimiter = ',', default_values_t = [1])]
    replicas: Vec<usize>,
    /// For how many seconds in each round.
    #[arg(long, default_value_t = 4)]
    seconds: u64,
    /// How many rounds there are, each with its own reference; the one in the middle is shown. Machines are noisy.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    rounds: u8,
    /// Only this game; all of them in turn if left out.
    #[arg(long)]
    game: Option<String>,
    /// Ask for the legal moves before every move, as a client without rules of its own does.
    #[arg(long)]
    ask: bool,
    /// Do without the view in the answer to a move (`Prefer: return=minimal`).
    #[arg(long)]
    minimal: bool,
    /// A setting of Postgres besides its defaults, as in `shared_buffers=4GB`.
    #[arg(long)]
    postgres: Vec<String>,
    /// Do not measure pgbench.
    #[arg(long)]
    alone: bool,
}

/// What was measured.
#[derive(Debug)]
pub struct Measured {
    /// Moves per second.
    pub rate: f64,
    /// How long each move took.
    pub latencies: Vec<Duration>,
    /// Processor time for a move, in microseconds: telar, Postgres, the clients.
    pub micros: [f64; 3],
}

/// What was measured, and its reference right before.
struct Round {
    reference: f64,
    measured: Measured,
}

impl Round {
    fn ratio(&self) -> f64 {
        self.measured.rate / self.reference
    }

    /// What rounds are ordered by.
    fn standing(&self) -> f64 {
        if self.reference.is_nan() { self.measured.rate } else { self.ratio() }
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
        let settings: Vec<&str> = self.postgres.iter().map(String::as_str).collect();
        let postgres = Postgres::start_with(Disk::Durable, &settings);
        println!(
            "fsync and synchronous_commit are on; Postgres, telar and the clients share this machine"
        );
        println!(
            "{:>8} {:>8} {:>9} {:>8} {:>8} {:>10} {:>6} {:>13}   µs of processor a move: telar, Postgres, clients",
            "replicas",
            "clients",
            "moves/s",
            "p50 ms",
            "p99 ms",
            "pgbench/s",
            "ratio",
            "of all rounds"
        );
        for replicas in &self.replicas {
            for clients in &self.clients {
                let mut rounds = Vec::new();
                for _ in 0..self.rounds {
                    let reference =
                        if self.alone { f64::NAN } else { self.pgbench(&postgres, *clients).await };
                    let url = postgres.create_database().await;
                    let measured = self.measure(&postgres, &url, *replicas, *clients).await;
                    rounds.push(Round { reference, measured });
                }
                rounds.sort_by(|one, other| one.standing().total_cmp(&other.standing()));
                let ratios = [&rounds[0], &rounds[rounds.len() - 1]].map(Round::ratio);
                let middle = rounds.len() / 2;
                let Round { reference, measured } = &mut rounds[middle];
                println!(
                    "{replicas:>8} {clients:>8} {:>9.0} {:>8.2} {:>8.2} {reference:>10.0} {:>6.2} {:>13}   {:.0} {:.0} {:.0}",
                    measured.rate,
                    percentile(&mut measured.latencies, 50),
                    percentile(&mut measured.latencies, 99),
                    measured.rate / *reference,
                    format!("{:.2} to {:.2}", ratios[0], ratios[1]),
                    measured.micros[0],
                    measured.micros[1],
                    measured.micros[2],
                );
            }
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

    /// Plays on a database.
    pub async fn measure(
        &self,
        postgres: &Postgres,
        url: &str,
        replicas: usize,
        clients: usize,
    ) -> Measured {
        let telars: Vec<Telar> = (0..replicas).map(|_| Telar::start(url)).collect();
        let hosts: Vec<String> = telars.iter().map(|telar| telar.host.clone()).collect();
        let keys: Vec<&str> = match &self.game {
            Some(game) => vec![game],
            None => games::all().map(|game| game.info().key).collect(),
        };
        let mut tables = Vec::new();
        for number in 0..clients {
            let mut client = Client::new(&hosts, keys[number % keys.len()]).await;
            if self.minimal {
                for connection in &mut client.connections {
                    connection.besides = "prefer: return=minimal\r\n";
                }
            }
            tables.push(client);
        }
        self.prepare(url, &mut tables).await;
        let tally = Arc::new(Tally::default());
        let playing: Vec<_> = tables
            .into_iter()
            .map(|client| {
                let (tally, ask) = (Arc::clone(&tally), self.ask);
                tokio::spawn(async move { client.play(ask, &tally).await })
            })
            .collect();
        // What is measured begins when everybody plays.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let used = || {
            let servers: f64 = telars.iter().map(|telar| cpu::of(telar.pid())).sum();
            [servers, cpu::of_family(postgres.pid()), cpu::of(std::process::id())]
        };
        let (moves, before, started) =
            (tally.moves.load(Ordering::Relaxed), used(), Instant::now());
        tokio::time::sleep(Duration::from_secs(self.seconds)).await;
        let moves = tally.moves.load(Ordering::Relaxed) - moves;
        let (after, elapsed) = (used(), started.elapsed().as_secs_f64());
        tally.stop.store(true, Ordering::Relaxed);
        let mut latencies = Vec::new();
        for table in playing {
            latencies.extend(table.await.expect("a client that played on"));
        }
        let moves = f64::from(u32::try_from(moves).unwrap_or(u32::MAX));
        let micros = std::array::from_fn(|party| (after[party] - before[party]) * 1e6 / moves);
        Measured { rate: moves / elapsed, latencies, micros }
    }

    /// Writes matches that have just begun, enough of them for every client.
    async fn prepare(&self, url: &str, clients: &mut [Client]) {
        let directory = tempfile::tempdir().expect("a directory");
        let config = Config::for_directory(directory.path().to_owned(), Some(url.to_owned()));
        let db = store::connect(&config).await.expect("the database");
        let log = EventStore::start(db);
        // More moves than anybody has time for, whoever is how fast.
        let enough = usize::try_from(self.seconds + 2).expect("seconds") * 40_000 / clients.len();
        let enough = enough.min(usize::try_from(self.seconds + 2).expect("seconds") * 3_000);
        let mut number = 0;
        for client in clients {
            let mut moves = 0;
            let mut begun = Vec::new();
            while moves < enough {
                number += 1;
                let game = games::find(&client.game).expect("a game");
                let mut script =
                    script::play(game, clock::new_id(clock::now()), &client.players, number);
                moves += script.moves.len();
                let mut commits = std::mem::take(&mut script.commits);
                commits.truncate(script.start);
                begun.push(Whole { commits, table: script.table.clone() });
                client.scripts.push(script);
            }
            let fates = log.import(begun).await.expect("the log");
            assert!(fates.iter().all(|fate| *fate == Appended::Written));
        }
    }
}

/// Somebody who plays for all seats of one match after the other.
struct Client {
    game: String,
    /// For every seat: the connection, and the token.
    seats: Vec<(usize, String)>,
    players: Vec<Uuid>,
    connections: Vec<Connection>,
    scripts: Vec<Script>,
}

impl Client {
    async fn new(hosts: &[String], game: &str) -> Self {
        let mut connections = Vec::new();
        for host in hosts {
            connections.push(Connection::open(host).await);
        }
        let count = usize::from(games::find(game).expect("a game").info().min_seats);
        let (mut seats, mut players) = (Vec::new(), Vec::new());
        for seat in 0..count {
            let connection = seat % hosts.len();
            let (player, token) = connections[connection].guest().await;
            seats.push((connection, token));
            players.push(player);
        }
        Self { game: game.to_owned(), seats, players, connections, scripts: Vec::new() }
    }

    /// Plays until told to stop; how long each move took.
    async fn play(mut self, ask: bool, tally: &Tally) -> Vec<Duration> {
        let mut latencies = Vec::new();
        for script in std::mem::take(&mut self.scripts) {
            let moves = format!("/v1/matches/{}/moves", script.id);
            let legal = format!("/v1/matches/{}/legal-moves", script.id);
            for scripted in &script.moves {
                if tally.stop.load(Ordering::Relaxed) {
                    return latencies;
                }
                let (connection, token) = &self.seats[scripted.seat.index()];
                let connection = &mut self.connections[*connection];
                if ask {
                    let listing: Listing =
                        connection.send("GET", &legal, token, "").await.json(200);
                    assert!(!listing.moves.is_empty());
                }
                let started = Instant::now();
                let reply = connection.send("POST", &moves, token, &scripted.body).await;
                latencies.push(started.elapsed());
                // What comes back is checked: it is what we know has to happen.
                let as_expected =
                    reply.status == 200 && reply.body.starts_with(scripted.answer.as_bytes());
                assert!(as_expected, "{}", String::from_utf8_lossy(reply.body));
                tally.moves.fetch_add(1, Ordering::Relaxed);
            }
        }
        panic!("there were not enough matches for {}", self.game);
    }
}
