//! The cost of moves and statistics with many stored matches, compared with few.

use bench::{percentile, telar::Telar};
use clap::Args;
use tests::postgres::{Disk, Postgres};

use crate::{playing::Playing, readers::Readers, statistics};

/// Measures moves and statistics with few and with many stored matches.
#[derive(Debug, Args)]
pub struct Growth {
    /// Numbers of stored matches to measure, in order; the first is the reference.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 1_000_000])]
    stored: Vec<u64>,
    /// Existing databases with that many matches and their statistics, instead of new ones.
    #[arg(long, value_delimiter = ',')]
    databases: Vec<String>,
    /// The game of the stored matches.
    #[arg(long, default_value = "qwinto")]
    stored_game: String,
    /// The number of seats of the stored matches.
    #[arg(long, default_value_t = 2)]
    seats: u8,
    /// The number of players of the stored matches.
    #[arg(long, default_value_t = 20_000)]
    players: u32,
    #[command(flatten)]
    playing: Playing,
    #[command(flatten)]
    readers: Readers,
}

impl Growth {
    /// Measures and prints two tables.
    pub async fn run(&self) {
        let postgres = Postgres::start(Disk::Durable);
        let mut databases = Vec::new();
        for (number, stored) in self.stored.iter().enumerate() {
            let url = match self.databases.get(number) {
                Some(url) => url.clone(),
                None => self.fill(&postgres.create_database().await, *stored),
            };
            databases.push((stored.to_string(), url));
        }
        statistics::head();
        for (stored, url) in &databases {
            statistics::measure(url, stored, &self.stored_game, &self.readers).await;
        }
        println!("cost: time of a request relative to a bare primary-key lookup (limit: 3)\n");
        println!(
            "{:>9} {:>8} {:>9} {:>8} {:>8} {:>6}   µs of processor a move: telar",
            "stored", "clients", "moves/s", "p50 ms", "p99 ms", "cost"
        );
        for clients in &self.playing.clients {
            let mut reference = None;
            for (stored, url) in &databases {
                let mut measured = self.playing.measure(Some(&postgres), url, 1, *clients).await;
                let reference = *reference.get_or_insert(measured.rate);
                println!(
                    "{stored:>9} {clients:>8} {:>9.0} {:>8.2} {:>8.2} {:>6.2}   {:.0}",
                    measured.rate,
                    percentile(&mut measured.latencies, 50),
                    percentile(&mut measured.latencies, 99),
                    reference / measured.rate,
                    measured.micros[0],
                );
            }
        }
        println!("cost: time of a move relative to the first line (limit: 1.2)");
    }

    /// Fills a database and rebuilds its statistics.
    fn fill(&self, url: &str, stored: u64) -> String {
        let telar = |arguments: &[&str]| {
            let started = std::time::Instant::now();
            let mut command = Telar::command();
            command.env("DATABASE_URL", url).env("TELAR_LOG", "warn").args(arguments);
            assert!(command.status().expect("telar runs").success());
            started.elapsed().as_secs_f64()
        };
        let seconds = telar(&[
            "seed",
            "--rated",
            "--matches",
            &stored.to_string(),
            "--games",
            &self.stored_game,
            "--seats",
            &self.seats.to_string(),
            "--players",
            &self.players.to_string(),
        ]);
        println!("{stored} matches written in {seconds:.0} s");
        println!("statistics rebuilt in {:.0} s", telar(&["rebuild"]));
        url.to_owned()
    }
}
