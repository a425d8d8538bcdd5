//! Clients that play real matches of all games over HTTP, move after move, and check the responses.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use api::config::Config;
use bench::{
    cpu,
    http::{Connection, Listing},
    script::{self, Script},
    telar::{self, Telar},
};
use clap::Args;
use domain::games;
use service::Clock;
use store::event_log::{Appended, WholeMatch};
use tests::{postgres::Postgres, server::UNLIMITED};
use uuid::Uuid;

/// How the clients play.
#[derive(Debug, Args)]
pub struct Playing {
    /// Number of concurrent clients, each with its own match.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 16, 64, 256])]
    pub clients: Vec<usize>,
    /// Duration in seconds.
    #[arg(long, default_value_t = 4)]
    pub seconds: u64,
    /// Only this game; all games in turn by default.
    #[arg(long)]
    game: Option<String>,
    /// Ask for the legal moves before every move, as a client without rules of its own does.
    #[arg(long)]
    ask: bool,
    /// Leave the view out of the response to a move (`Prefer: return=minimal`).
    #[arg(long)]
    minimal: bool,
    /// Number of matches in which four bots of the level `master` think meanwhile; each keeps one thread busy for seconds.
    #[arg(long, default_value_t = 0)]
    bots: usize,
}

/// The results.
#[derive(Debug)]
pub struct Measured {
    /// Moves per second.
    pub rate: f64,
    /// The latency of each move.
    pub latencies: Vec<Duration>,
    /// Processor time per move, in microseconds: telar, Postgres, the clients.
    pub micros: [f64; 3],
}

/// Counters shared by all clients.
#[derive(Default)]
struct Tally {
    moves: AtomicU64,
    stop: AtomicBool,
}

impl Playing {
    /// Plays on a database, of this Postgres or in a file.
    pub async fn measure(
        &self,
        postgres: Option<&Postgres>,
        url: &str,
        replicas: usize,
        clients: usize,
    ) -> Measured {
        // However many replicas there are, together they have as many threads as one of them would have.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = (cores / replicas).max(1).to_string();
        let variables = [&UNLIMITED[..], &[("TELAR_WORKERS", workers.as_str())]].concat();
        let start = |_| Telar::start_with(url, &variables);
        let telars: Vec<Telar> = (0..replicas).map(start).collect();
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
        self.occupy_bots(&hosts[0]).await;
        let tally = Arc::new(Tally::default());
        let playing: Vec<_> = tables
            .into_iter()
            .map(|client| {
                let (tally, ask) = (Arc::clone(&tally), self.ask);
                tokio::spawn(async move { client.play(ask, &tally).await })
            })
            .collect();
        // Measuring begins when all clients are playing.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let used = || {
            let servers: f64 = telars.iter().map(|telar| cpu::of(telar.pid())).sum();
            let database = postgres.map_or(0.0, |postgres| cpu::of_family(postgres.pid()));
            [servers, database, cpu::of(std::process::id())]
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

    /// Gives bots something to think about: in Trama, everybody chooses cards at the same time.
    async fn occupy_bots(&self, host: &str) {
        let mut connection = Connection::open(host).await;
        for _ in 0..self.bots {
            let (_, token) = connection.guest().await;
            let body = r#"{"game":"trama","seats":5,"bots":["master","master","master","master"]}"#;
            let reply = connection.send("POST", "/v1/matches", &token, body).await;
            assert_eq!(reply.status, 201, "{}", String::from_utf8_lossy(reply.body));
        }
    }

    /// Writes enough newly started matches for every client.
    async fn prepare(&self, url: &str, clients: &mut [Client]) {
        let directory = tempfile::tempdir().expect("a directory");
        let mut config = Config::for_directory(directory.path().to_owned(), Some(url.to_owned()));
        config.storage_key = Some(telar::KEY.to_owned());
        let log = tests::open_log(&config).await;
        // More moves than the fastest client can make in the given time.
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
                    script::play(game, Clock::system().new_id(), &client.players, number);
                moves += script.moves.len();
                let mut commits = std::mem::take(&mut script.commits);
                commits.truncate(script.start);
                begun.push(WholeMatch { commits, end: script.table.clone() });
                client.scripts.push(script);
            }
            let fates = log.import(begun).await.expect("the log");
            assert!(fates.iter().all(|fate| *fate == Appended::Written));
        }
    }
}

/// A client that plays all seats of one match after another.
struct Client {
    game: String,
    /// The connection and the token of each seat.
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

    /// Plays until told to stop, and returns the latency of each move.
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
                // The response has to be the known result.
                let as_expected =
                    reply.status == 200 && reply.body.starts_with(scripted.answer.as_bytes());
                assert!(as_expected, "{}", String::from_utf8_lossy(reply.body));
                tally.moves.fetch_add(1, Ordering::Relaxed);
            }
        }
        panic!("there were not enough matches for {}", self.game);
    }
}
