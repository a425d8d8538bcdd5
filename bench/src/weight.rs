//! The memory of a live match, including everything it points to, compared with the server's estimate.

use std::hint::black_box;

use bench::script;
use clap::Args;
use domain::{games, matches::Match};
use uuid::Uuid;

use crate::ALLOCATOR;

/// Measures the memory of a match of every game, half-way through.
#[derive(Debug, Args)]
pub struct Weight {
    /// Number of copies to measure.
    #[arg(long, default_value_t = 500)]
    copies: u32,
}

impl Weight {
    /// Measures and prints a table.
    pub fn run(&self) {
        println!("{:<10} {:>8} {:>10}", "game", "bytes", "estimate");
        let mut weights = Vec::new();
        for game in games::all() {
            let players: Vec<Uuid> =
                (1..=u128::from(game.info().max_seats)).map(Uuid::from_u128).collect();
            let script = script::play(game, Uuid::from_u128(1), &players, 1);
            let half = &script.commits[..script.commits.len() / 2];
            let before = ALLOCATOR.current_usage();
            let matches: Vec<Option<Match>> =
                (0..self.copies).map(|_| Match::fold(half).expect("our own")).collect();
            let bytes = ALLOCATOR.current_usage() - before;
            let estimate = matches[0].as_ref().map_or(0, Match::weight);
            drop(black_box(matches));
            let weight =
                f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / f64::from(self.copies);
            println!("{:<10} {weight:>8.0} {estimate:>10}", game.info().key);
            weights.push(weight);
        }
        let count = f64::from(u32::try_from(weights.len()).unwrap_or(1));
        let average = weights.iter().sum::<f64>() / count;
        println!("a live match takes {average:.0} bytes on average (limit: 8192)");
    }
}
