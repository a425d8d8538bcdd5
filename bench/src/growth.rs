//! What a move costs when many matches are stored, next to few.

use bench::{percentile, telar::Telar};
use clap::Args;
use tests::postgres::{Disk, Postgres};

use crate::load::Load;

/// Measures moves among few and among many stored matches.
#[derive(Debug, Args)]
pub struct Growth {
    /// How many matches are stored, in the order of measuring; the first is the reference.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 1_000_000])]
    stored: Vec<u64>,
    /// The games of the stored matches.
    #[arg(long, default_value = "qwinto")]
    games: String,
    /// Their seats.
    #[arg(long, default_value_t = 2)]
    seats: u8,
    #[command(flatten)]
    load: Load,
}

impl Growth {
    /// Measures, and prints a table.
    pub async fn run(&self) {
        let postgres = Postgres::start(Disk::Durable);
        let mut databases = Vec::new();
        for stored in &self.stored {
            let url = postgres.create_database().await;
            let started = std::time::Instant::now();
            let seeded = Telar::command()
                .env("DATABASE_URL", &url)
                .args(["seed", "--matches", &stored.to_string(), "--games", &self.games])
                .args(["--seats", &self.seats.to_string()])
                .status()
                .expect("telar runs");
            assert!(seeded.success());
            println!("{stored} matches were written in {:.0} s", started.elapsed().as_secs_f64());
            databases.push((*stored, url));
        }
        println!(
            "{:>9} {:>8} {:>9} {:>8} {:>8} {:>6}   µs of processor a move: telar, Postgres",
            "stored", "clients", "moves/s", "p50 ms", "p99 ms", "cost"
        );
        for clients in &self.load.clients {
            let mut reference = None;
            for (stored, url) in &databases {
                let mut measured = self.load.measure(&postgres, url, 1, *clients).await;
                let reference = *reference.get_or_insert(measured.rate);
                println!(
                    "{stored:>9} {clients:>8} {:>9.0} {:>8.2} {:>8.2} {:>6.2}   {:.0} {:.0}",
                    measured.rate,
                    percentile(&mut measured.latencies, 50),
                    percentile(&mut measured.latencies, 99),
                    reference / measured.rate,
                    measured.micros[0],
                    measured.micros[1],
                );
            }
        }
        println!("cost is the time a move takes next to the first line (bar: 1.2)");
    }
}
