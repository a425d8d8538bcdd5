//! Random matches over HTTP, to the end, on each store: what everybody saw is what the replay shows.

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
    /// Which game; all of them if left out.
    #[arg(long)]
    game: Option<String>,
    /// How many matches of each game on each store.
    #[arg(long, default_value_t = 200)]
    matches: u64,
    /// How many versions of what each viewer saw are compared with the replay; all of them if left out.
    #[arg(long, default_value_t = usize::MAX)]
    replays: usize,
    /// After how many moves everybody looks at the match.
    #[arg(long, default_value_t = 1)]
    look_every: usize,
    /// How many at once.
    #[arg(long, default_value_t = 8)]
    at_once: usize,
}

impl Play {
    /// Plays, and prints what came of it.
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
