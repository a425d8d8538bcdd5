//! The latency of streams: from the response to a move until the other seat's stream delivers it, on the same replica and on
//! another one. Then many matches during which a replica is killed; every stream has to be complete and in order.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use clap::Args;
use serde_json::{Value, json};
use tests::{
    client::Client,
    fleet::{Plan, run},
    postgres::{Disk, Postgres},
    process::Telar,
    stream::{Framing, Stream},
};

/// Measures streams.
#[derive(Debug, Args)]
pub struct Streams {
    /// Number of concurrent matches while latency is measured.
    #[arg(long, default_value_t = 20)]
    clients: usize,
    /// Duration in seconds, for one replica and for two.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Number of matches while a replica is killed; 0 skips this part.
    #[arg(long, default_value_t = 200)]
    matches: usize,
    /// Number of moves in each of them.
    #[arg(long, default_value_t = 40)]
    moves: usize,
}

impl Streams {
    /// Measures and prints a table.
    pub async fn run(&self) {
        let postgres = Postgres::start(Disk::Durable);
        println!(
            "fsync and synchronous_commit are on; Postgres, two replicas and the clients share this machine"
        );
        println!(
            "{:>10} {:>8} {:>9} {:>9} {:>9}",
            "stream at", "moves", "p50 ms", "p99 ms", "max ms"
        );
        for (name, home) in [("the same", 0), ("another", 1)] {
            let url = postgres.create_database().await;
            let replicas = [0, 1].map(|_| Telar::start(&binary(), &url, &[]));
            let mut latencies = self.measure(&replicas[0].url, &replicas[home].url).await;
            latencies.sort_unstable();
            let at = |share: usize| {
                let index = (latencies.len() * share / 100).min(latencies.len().saturating_sub(1));
                latencies.get(index).map_or(0.0, Duration::as_secs_f64) * 1e3
            };
            let [p50, p99, most] = [at(50), at(99), at(100)];
            println!("{name:>10} {:>8} {p50:>9.2} {p99:>9.2} {most:>9.2}", latencies.len());
        }
        if self.matches > 0 {
            let url = postgres.create_database().await;
            let plan = Plan { matches: self.matches, moves: self.moves, seed: 1 };
            let started = Instant::now();
            let report = run(&binary(), &url, &plan).await;
            println!(
                "{} matches with their seats at different replicas, one of which was killed: {} events told, complete and in \
                 order, over {} resumed streams; {} messages to webhooks; {:.1} s",
                self.matches,
                report.events,
                report.resumed,
                report.messages,
                started.elapsed().as_secs_f64()
            );
        }
    }

    /// From the response to each move until the message on the other seat's stream; 0 if the message came first.
    async fn measure(&self, here: &str, there: &str) -> Vec<Duration> {
        let stop = Arc::new(AtomicBool::new(false));
        let tables: Vec<_> = (0..self.clients)
            .map(|_| {
                let (here, there, stop) = (here.to_owned(), there.to_owned(), Arc::clone(&stop));
                actix_web::rt::spawn(async move {
                    let mut latencies = Vec::new();
                    while !stop.load(Ordering::Relaxed) {
                        latencies.extend(play(&here, &there, &stop).await);
                    }
                    latencies
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_secs(self.seconds)).await;
        stop.store(true, Ordering::Relaxed);
        let mut latencies = Vec::new();
        for table in tables {
            latencies.extend(table.await.expect("a match that was played"));
        }
        latencies
    }
}

fn binary() -> PathBuf {
    std::env::current_exe().expect("our own path").with_file_name("telar")
}

/// Plays one match at `here`, while both seats watch at `there`.
async fn play(here: &str, there: &str, stop: &AtomicBool) -> Vec<Duration> {
    let players = [Client::guest(here, "One").await, Client::guest(here, "Two").await];
    let created = players[0].create_match("qwinto", 2).await;
    let id = created["id"].as_str().expect("an id").to_owned();
    let path = format!("/v1/matches/{id}");
    players[1].post(&format!("{path}/seats"), &json!({})).await.expect(201);
    let mut watching = Vec::new();
    for player in &players {
        let events = format!("{path}/events");
        let mut stream = Stream::resume(&player.at(there), &events, Framing::Ndjson, Some("0"))
            .await
            .expect("a stream");
        watching.push(actix_web::rt::spawn(async move {
            let mut seen: Vec<Instant> = Vec::new();
            while let Some(message) = stream.next().await {
                if message.kind == "event" {
                    seen.push(Instant::now());
                }
            }
            seen
        }));
    }
    let mut document = players[0].get(&path).await.expect(200);
    let mut answers: Vec<(usize, usize, Instant)> = Vec::new();
    for turn in 0.. {
        let to_act = |seat: &usize| match &document["to_act"] {
            Value::Array(seats) => seats.contains(&json!(seat)),
            _ => document["seats"][seat]["to_act"] == true,
        };
        let Some(seat) = [0, 1].into_iter().find(to_act) else { break };
        if stop.load(Ordering::Relaxed) {
            players[0].post(&format!("{path}/resign"), &json!({})).await.expect(200);
            break;
        }
        let moves = players[seat].legal_moves(&id).await;
        document = players[seat].make_move(&id, &moves[turn * 7 % moves.len()]).await.expect(200);
        let version =
            document["version"].as_u64().and_then(|version| usize::try_from(version).ok());
        answers.push((1 - seat, version.expect("a version"), Instant::now()));
    }
    let mut seen = Vec::new();
    for stream in watching {
        seen.push(stream.await.expect("a stream that was read"));
    }
    let latency = |(other, version, answered): (usize, usize, Instant)| {
        seen[other][version - 1].saturating_duration_since(answered)
    };
    answers.into_iter().map(latency).collect()
}
