//! How long bots think: `make bench-bots`. One thread; matches between bots of the same level.

mod arena;

use std::time::{Duration, Instant};

use arena::{Player, Table};
use bots::Contestant;
use clap::Parser;
use domain::{bot::BotLevel, erased::AnyGame, games};

/// Measures how long bots think about a move.
#[derive(Debug, Parser)]
struct Options {
    /// Only these games.
    #[arg(long, value_delimiter = ',')]
    games: Vec<String>,
    /// Seconds per game and level.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let options = Options::parse();
    println!("| game | level | median ms | 95 % ms | playouts/s | nodes/s | moves |");
    println!("|---|---|---|---|---|---|---|");
    for game in games::all() {
        if options.games.is_empty() || options.games.iter().any(|key| key == game.info().key) {
            for level in BotLevel::ALL {
                measure(game, level, Duration::from_secs(options.seconds));
            }
        }
    }
}

/// Moves of whole matches, as far as the time allows. Forced moves count, too.
fn measure(game: &'static dyn AnyGame, level: BotLevel, limit: Duration) {
    let mut times: Vec<Duration> = Vec::new();
    let (mut playouts, mut nodes) = (0.0, 0.0);
    let began = Instant::now();
    for seed in 0.. {
        let mut table =
            Table::open(game, 2.clamp(game.info().min_seats, game.info().max_seats), seed);
        while !table.is_over() && began.elapsed() < limit {
            let seat = table.next_seat();
            let before = Instant::now();
            let (mv, effort) = table.decide(seat, Player::Listed(Contestant::Bot(level)));
            times.push(before.elapsed());
            playouts += f64::from(effort.0);
            nodes += f64::from(effort.1);
            table.play(seat, &mv);
        }
        if began.elapsed() >= limit {
            break;
        }
    }
    times.sort_unstable();
    let total: f64 = times.iter().map(Duration::as_secs_f64).sum();
    let quantile =
        |part: usize| times[(times.len() * part / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    println!(
        "| {} | {} | {:.2} | {:.2} | {:.0} | {:.0} | {} |",
        game.info().key,
        level.id(),
        quantile(50),
        quantile(95),
        playouts / total,
        nodes / total,
        times.len(),
    );
}
