//! Random matches over HTTP to their end, on each store: the replay shows what every viewer saw.

use std::time::Instant;

use clap::Args;
use domain::games;
use futures_util::{StreamExt, stream};
use serde_json::json;
use tests::{
    random_play::{Plan, play},
    server::{Server, Store},
};

/// Plays random matches over HTTP on both stores.
#[derive(Debug, Args)]
pub struct Play {
    /// Only this game; all games by default.
    #[arg(long)]
    game: Option<String>,
    /// Number of matches of each game on each store.
    #[arg(long, default_value_t = 200)]
    matches: u64,
    /// Number of versions per viewer to compare with the replay; all by default.
    #[arg(long, default_value_t = usize::MAX)]
    replays: usize,
    /// Number of moves between two looks at the match by all viewers.
    #[arg(long, default_value_t = 1)]
    look_every: usize,
    /// Number of matches at once.
    #[arg(long, default_value_t = 8)]
    at_once: usize,
}

impl Play {
    /// Plays and prints a summary.
    pub async fn run(&self) {
        println!(
            "{:<10} {:<9} {:>8} {:>9} {:>10} {:>9} {:>8}",
            "game", "store", "matches", "moves", "views", "moves/m", "seconds"
        );
        for game in
            games::all().filter(|game| self.game.as_ref().is_none_or(|key| key == game.info().key))
        {
            let info = game.info();
            for store in [Store::Sqlite, Store::Postgres] {
                let server = Server::start(store).await;
                let started = Instant::now();
                let plans = (0..self.matches).map(|number| {
                    let spread = u64::from(info.max_seats - info.min_seats) + 1;
                    Plan {
                        game: info.key.to_owned(),
                        seats: usize::from(info.min_seats)
                            + usize::try_from(number % spread).unwrap_or_default(),
                        options: json!({}),
                        seed: number,
                        look_every: self.look_every,
                        replays: self.replays,
                    }
                });
                let url = server.url.as_str();
                let reports: Vec<_> = stream::iter(plans)
                    .map(|plan| async move { play(url, &plan).await })
                    .buffer_unordered(self.at_once)
                    .collect()
                    .await;
                let moves: usize = reports.iter().map(|report| report.moves).sum();
                let views: usize = reports.iter().map(|report| report.views).sum();
                println!(
                    "{:<10} {:<9} {:>8} {:>9} {:>10} {:>9} {:>8.1}",
                    info.key,
                    format!("{store:?}").to_lowercase(),
                    reports.len(),
                    moves,
                    views,
                    moves / reports.len().max(1),
                    started.elapsed().as_secs_f64(),
                );
                server.stop().await;
            }
        }
    }
}
