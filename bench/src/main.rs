//! Benchmarks and long runs, one command each: `cargo run --release -p bench -- <command>`.

use clap::{Parser, Subcommand};

mod bare;
mod cold;
mod growth;
mod hostile;
mod load;
mod pages;
mod play;
mod playing;
mod proof;
mod readers;
mod reads;
mod statistics;
mod stream;
mod weight;

/// Counts allocated bytes, to measure the memory of matches.
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
    /// Measure loading matches that are not in memory, compared with a bare SELECT.
    Cold(cold::Cold),
    /// Measure moves and statistics with many stored matches, compared with few.
    Growth(growth::Growth),
    #[command(hide = true)]
    Attack(hostile::Attack),
    /// Measure what ordinary clients notice of one hostile address.
    Hostile(hostile::Hostile),
    /// Measure durable moves per second over HTTP on Postgres, compared with pgbench.
    Load(load::Load),
    /// Measure pages and past versions of a long match over HTTP, compared with a short one.
    Pages(pages::Pages),
    /// Play random matches over HTTP on both stores, and compare every view with the replay.
    Play(play::Play),
    /// Step through random matches, verify their proofs with both verifiers, and check that damage is detected.
    Proofs(proof::Proofs),
    /// Measure views over HTTP, compared with a bare handler that returns the same bytes.
    Reads(reads::Reads),
    /// Measure the memory of a live match of every game.
    Weight(weight::Weight),
    /// Measure the latency of streams, and kill a replica that serves many of them.
    Stream(stream::Streams),
}

#[actix_web::main]
async fn main() {
    match Arguments::parse().command {
        Command::Bare(command) => command.run().await,
        Command::Cold(command) => command.run().await,
        Command::Growth(command) => command.run().await,
        Command::Attack(command) => command.run().await,
        Command::Hostile(command) => command.run().await,
        Command::Load(command) => command.run().await,
        Command::Pages(command) => command.run().await,
        Command::Play(command) => command.run().await,
        Command::Proofs(command) => command.run(),
        Command::Reads(command) => command.run().await,
        Command::Weight(command) => command.run(),
        Command::Stream(command) => command.run().await,
    }
}
