//! Benchmarks and long runs, one command each: `cargo run --release -p bench -- <command>`.

use clap::{Parser, Subcommand};

mod load;
mod play;
mod weight;

/// Counts what is allocated, so that matches can be weighed.
#[global_allocator]
static ALLOCATOR: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// Benchmarks and long runs of Telar.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measures durable moves per second over HTTP on Postgres, next to pgbench.
    Load(load::Load),
    /// Plays random matches over HTTP on both stores, and compares every view with the replay.
    Play(play::Play),
    /// Weighs a live match of every game.
    Weight(weight::Weight),
}

#[actix_web::main]
async fn main() {
    match Arguments::parse().command {
        Command::Load(command) => command.run().await,
        Command::Play(command) => command.run().await,
        Command::Weight(command) => command.run(),
    }
}
