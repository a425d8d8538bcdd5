//! Benchmarks and long runs, one command each: `cargo run --release -p bench -- <command>`.

use clap::{Parser, Subcommand};

mod bare;
mod cold;
mod growth;
mod load;
mod play;
mod playing;
mod proof;
mod readers;
mod reads;
mod statistics;
mod stream;
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
    #[command(hide = true)]
    Bare(bare::Bare),
    /// Measures how long a match takes to load that is not in memory, next to a bare SELECT.
    Cold(cold::Cold),
    /// Measures what moves and statistics cost among many stored matches, next to few.
    Growth(growth::Growth),
    /// Measures durable moves per second over HTTP on Postgres, next to pgbench.
    Load(load::Load),
    /// Plays random matches over HTTP on both stores, and compares every view with the replay.
    Play(play::Play),
    /// Steps through random matches, verifies their proofs with both verifiers, and damages them.
    Proofs(proof::Proofs),
    /// Measures views over HTTP, next to a bare handler that returns the same bytes.
    Reads(reads::Reads),
    /// Weighs a live match of every game.
    Weight(weight::Weight),
    /// Measures how soon streams tell a move, and kills a replica under many of them.
    Stream(stream::Streams),
}

#[actix_web::main]
async fn main() {
    match Arguments::parse().command {
        Command::Bare(command) => command.run().await,
        Command::Cold(command) => command.run().await,
        Command::Growth(command) => command.run().await,
        Command::Load(command) => command.run().await,
        Command::Play(command) => command.run().await,
        Command::Proofs(command) => command.run(),
        Command::Reads(command) => command.run().await,
        Command::Weight(command) => command.run(),
        Command::Stream(command) => command.run().await,
    }
}
