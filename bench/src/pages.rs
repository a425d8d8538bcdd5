//! Pages and past versions of a long match over HTTP, next to those of a short one.

use std::time::{Duration, Instant};

use api::config::Config;
use bench::{
    http::Connection,
    percentile,
    telar::{KEY, Telar},
};
use clap::Args;
use domain::{games, matches::Create};
use tests::{
    long_match,
    postgres::{Disk, Postgres},
};
use uuid::Uuid;

/// Measures pages of a long match.
#[derive(Debug, Args)]
pub struct Pages {
    /// Number of events of the long match.
    #[arg(long, default_value_t = 40_000)]
    events: u64,
    /// Number of events of each short match; it begins like the long one.
    #[arg(long, default_value_t = 200)]
    short_events: u64,
    /// Number of positions in the long match, and of short matches with one position each.
    #[arg(long, default_value_t = 100)]
    positions: u64,
    /// How often each page is read after the first time.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

/// The number of requests for a pause between two moves: few enough moves that the match does not end.
const REQUESTS: u64 = 500;

impl Pages {
    /// Measures and prints a table.
    pub async fn run(&self) {
        let postgres = Postgres::start(Disk::Durable);
        let url = postgres.create_database().await;
        let (long, short) = self.write(&url).await;
        println!("{:<24} {:>9} {:>9} {:>6}", "p50 ms", "long", "short", "ratio");
        let mut worst: f64 = 0.0;
        for kind in Kind::ALL {
            // A new server, which has kept nothing.
            let telar = Telar::start(&url);
            let mut connection = Connection::open(&telar.host).await;
            for id in short.iter().chain([&long]) {
                read(&mut connection, &format!("/v1/matches/{id}")).await;
            }
            let step = (self.events - 100) / self.positions;
            let anywhere: Vec<[String; 2]> = short
                .iter()
                .zip((50..).step_by(usize::try_from(step).expect("a short match")))
                .map(|(short, position)| {
                    [kind.path(long, position), kind.path(*short, self.short_events / 2)]
                })
                .collect();
            let end =
                [kind.path(long, self.events - 50), kind.path(short[0], self.short_events - 50)];
            let again = vec![anywhere.clone(); self.rounds].concat();
            let ends = vec![end; again.len()];
            for (when, pairs) in
                [("for the first time", &anywhere), ("again", &again), ("at the end", &ends)]
            {
                let [ours, theirs] = compare(&mut connection, pairs).await;
                let (name, ratio) = (format!("{} {when}", kind.name()), ours / theirs);
                worst = worst.max(ratio);
                println!("{name:<24} {ours:>9.3} {theirs:>9.3} {ratio:>6.2}");
            }
        }
        println!("at most {worst:.2} (limit: 2)");
    }

    /// Writes a long match and many short ones to the store.
    async fn write(&self, url: &str) -> (Uuid, Vec<Uuid>) {
        let directory = tempfile::tempdir().expect("a directory");
        let mut config = Config::for_directory(directory.path().to_owned(), Some(url.to_owned()));
        config.storage_key = Some(KEY.to_owned());
        let log = tests::open_log(&config).await;
        let players = [Uuid::from_u128(1), Uuid::from_u128(2)];
        let qwinto = games::find("qwinto").expect("a game");
        let mut ids = Vec::new();
        for number in 0..=self.positions {
            let id = service::Clock::system().new_id();
            let create = Create::new(id, qwinto, 2, players[0], [7; 32].into());
            let events = if number == 0 { self.events } else { self.short_events };
            let played = long_match::play(create, &players, REQUESTS, events);
            log.import(vec![played]).await.expect("the log");
            ids.push(id);
        }
        (ids.remove(0), ids)
    }
}

/// The median times of both pages of these pairs in milliseconds, read alternately, so that both are read under the same
/// conditions.
async fn compare(connection: &mut Connection, pairs: &[[String; 2]]) -> [f64; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for pair in pairs {
        for (path, times) in pair.iter().zip(&mut times) {
            times.push(read(connection, path).await);
        }
    }
    times.each_mut().map(|times| percentile(times, 50))
}

/// Reads a path, and returns how long it took.
async fn read(connection: &mut Connection, path: &str) -> Duration {
    let started = Instant::now();
    let reply = connection.send("GET", path, "", "").await;
    assert_eq!(reply.status, 200, "{path}");
    started.elapsed()
}

/// What is read.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Events,
    Frames,
    Replay,
    Board,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Events, Self::Frames, Self::Replay, Self::Board];

    const fn name(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Frames => "frames",
            Self::Replay => "replay",
            Self::Board => "board",
        }
    }

    fn path(self, id: Uuid, position: u64) -> String {
        let query = match self {
            Self::Events => format!("events?after={position}&limit=50"),
            Self::Frames => format!("frames?after={position}&limit=50"),
            Self::Replay => format!("replay?at={position}"),
            Self::Board => format!("board.svg?at={position}"),
        };
        format!("/v1/matches/{id}/{query}")
    }
}
