//! Loading a match that is not in memory, next to a bare SELECT of its rows.

use std::time::{Duration, Instant};

use api::config::Config;
use bench::script;
use clap::Args;
use domain::{games, matches::Match};
use service::history::PORTION;
use sqlx::Row;
use store::{Connection as _, event_log::WholeMatch};
use tests::postgres::{Disk, Postgres};
use uuid::Uuid;

/// Measures cold loads.
#[derive(Debug, Args)]
pub struct Cold {
    /// Number of matches of each game to load.
    #[arg(long, default_value_t = 300)]
    matches: u64,
}

const SELECT: &str = "SELECT match_id, seq, count, at, player_id, command_id, payload::text, hash \
                      FROM commits WHERE lane = $1 AND match_id = $2 AND seq >= 0 ORDER BY seq";

impl Cold {
    /// Measures and prints a table.
    pub async fn run(&self) {
        let postgres = Postgres::start(Disk::Durable);
        let url = postgres.create_database().await;
        let directory = tempfile::tempdir().expect("a directory");
        let config = Config::for_directory(directory.path().to_owned(), Some(url));
        let log = tests::open_log(&config).await;
        let lanes = log.database().lanes();
        let pool = log.database().get_postgres_connection_pool().clone();
        println!(
            "{:<10} {:>8} {:>9} {:>10} {:>6}",
            "game", "commits", "load µs", "select µs", "ratio"
        );
        let mut ratios = Vec::new();
        for game in games::all() {
            let mut ids = Vec::new();
            let mut commits = 0;
            for number in 0..self.matches {
                let players: Vec<Uuid> =
                    (1..=u128::from(game.info().min_seats)).map(Uuid::from_u128).collect();
                let id = service::Clock::system().new_id();
                let script = script::play(game, id, &players, number);
                commits += script.commits.len();
                let table = Match::fold(&script.commits).expect("our own").expect("a match");
                log.import(vec![WholeMatch { commits: script.commits, end: table }])
                    .await
                    .expect("the log");
                ids.push(id);
            }
            // Alternately, match by match, so that both run under the same conditions.
            let (mut loading, mut selecting) = (Duration::ZERO, Duration::ZERO);
            for id in &ids {
                let started = Instant::now();
                let rows = sqlx::query(SELECT)
                    .bind(lanes.of(*id).column())
                    .bind(id)
                    .fetch_all(&pool)
                    .await
                    .expect("rows");
                let bytes: usize = rows.iter().map(|row| row.get::<&str, _>(6).len()).sum();
                selecting += started.elapsed();
                let started = Instant::now();
                let log = log.load_range(*id, 0..PORTION).await.expect("the log");
                let table = Match::fold(&log).expect("our own").expect("a match");
                loading += started.elapsed();
                // The seed takes more room while it is encrypted.
                assert!(log.iter().map(|commit| commit.payload.len()).sum::<usize>() < bytes);
                assert!(table.status().is_over());
            }
            let count = f64::from(u32::try_from(ids.len()).unwrap_or(1));
            let (load, select) =
                (loading.as_secs_f64() * 1e6 / count, selecting.as_secs_f64() * 1e6 / count);
            ratios.push(load / select);
            println!(
                "{:<10} {:>8} {load:>9.0} {select:>10.0} {:>6.2}",
                game.info().key,
                commits / ids.len(),
                load / select
            );
        }
        let count = f64::from(u32::try_from(ratios.len()).unwrap_or(1));
        println!("on average {:.2} (limit: 2)", ratios.iter().sum::<f64>() / count);
    }
}
