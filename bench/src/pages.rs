//! Pages and past versions of a long match over HTTP, next to those of a short one.

use std::time::Instant;

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
    /// Number of events of the short match, which is the beginning of the long one.
    #[arg(long, default_value_t = 200)]
    short_events: u64,
    /// How often each page is read.
    #[arg(long, default_value_t = 300)]
    rounds: u32,
}

/// The number of requests for a pause between two moves: few enough moves that the match does not end.
const REQUESTS: u64 = 500;

impl Pages {
    /// Measures and prints a table.
    pub async fn run(&self) {
        let postgres = Postgres::start(Disk::Durable);
        let url = postgres.create_database().await;
        let long = Subject { id: self.write(&url, self.events).await, events: self.events };
        let short =
            Subject { id: self.write(&url, self.short_events).await, events: self.short_events };
        let telar = Telar::start(&url);
        let mut connection = Connection::open(&telar.host).await;
        for (name, subject) in [("short", &short), ("long", &long)] {
            let millis = read(&mut connection, &format!("/v1/matches/{}", subject.id)).await * 1e3;
            println!("the {name} match, {} events, into memory: {millis:.1} ms", subject.events);
        }
        println!("{:<34} {:>9} {:>9} {:>6}", "p50 ms", "long", "short", "ratio");
        let mut worst: f64 = 0.0;
        for kind in Kind::ALL {
            let reference = self.short_events / 2;
            for position in [100, self.events / 2 + 77, self.events - 50] {
                let paths = [long.path(kind, position), short.path(kind, reference)];
                let [ours, theirs] = self.compare(&mut connection, &paths).await;
                worst = worst.max(ours / theirs);
                println!(
                    "{:<34} {ours:>9.3} {theirs:>9.3} {:>6.2}",
                    kind.name(position),
                    ours / theirs
                );
            }
            // Never the same position twice: what was kept for one reader does not serve the next.
            let spread = self.spread(&mut connection, kind, &long).await;
            let reference = self.spread(&mut connection, kind, &short).await;
            worst = worst.max(spread / reference);
            let name = format!("{}, anywhere", kind.label());
            println!("{name:<34} {spread:>9.3} {reference:>9.3} {:>6.2}", spread / reference);
        }
        println!("at most {worst:.2} (limit: 2)");
    }

    /// Writes a match of this many events to the store.
    async fn write(&self, url: &str, events: u64) -> Uuid {
        let directory = tempfile::tempdir().expect("a directory");
        let mut config = Config::for_directory(directory.path().to_owned(), Some(url.to_owned()));
        config.storage_key = Some(KEY.to_owned());
        let log = tests::open_log(&config).await;
        let players = [Uuid::from_u128(1), Uuid::from_u128(2)];
        let id = service::Clock::system().new_id();
        let qwinto = games::find("qwinto").expect("a game");
        let create = Create::new(id, qwinto, 2, players[0], [7; 32].into());
        let played = long_match::play(create, &players, REQUESTS, events);
        log.import(vec![played]).await.expect("the log");
        id
    }

    /// The median times of two pages in milliseconds, read alternately, so that both are read under the same conditions.
    async fn compare(&self, connection: &mut Connection, paths: &[String; 2]) -> [f64; 2] {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..self.rounds {
            for (path, times) in paths.iter().zip(&mut times) {
                let started = Instant::now();
                read(connection, path).await;
                times.push(started.elapsed());
            }
        }
        times.each_mut().map(|times| percentile(times, 50))
    }

    /// The median time of pages all over a match, in milliseconds.
    async fn spread(&self, connection: &mut Connection, kind: Kind, subject: &Subject) -> f64 {
        let mut times = Vec::new();
        for round in 0..u64::from(self.rounds) {
            // Coprime to any length: every position comes before one comes again.
            let position = 1 + round * 15_485_863 % (subject.events - 51);
            let started = Instant::now();
            read(connection, &subject.path(kind, position)).await;
            times.push(started.elapsed());
        }
        percentile(&mut times, 50)
    }
}

/// Reads a path, and returns how long it took in seconds.
async fn read(connection: &mut Connection, path: &str) -> f64 {
    let started = Instant::now();
    let reply = connection.send("GET", path, "", "").await;
    assert_eq!(reply.status, 200, "{path}");
    started.elapsed().as_secs_f64()
}

/// A match that is read.
struct Subject {
    id: Uuid,
    events: u64,
}

impl Subject {
    fn path(&self, kind: Kind, position: u64) -> String {
        format!("/v1/matches/{}/{}", self.id, kind.query(position))
    }
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

    const fn label(self) -> &'static str {
        match self {
            Self::Events => "50 events",
            Self::Frames => "50 frames",
            Self::Replay => "replay",
            Self::Board => "board.svg",
        }
    }

    fn name(self, position: u64) -> String {
        format!("{}, at {position}", self.label())
    }

    fn query(self, position: u64) -> String {
        match self {
            Self::Events => format!("events?after={position}&limit=50"),
            Self::Frames => format!("frames?after={position}&limit=50"),
            Self::Replay => format!("replay?at={position}"),
            Self::Board => format!("board.svg?at={position}"),
        }
    }
}
