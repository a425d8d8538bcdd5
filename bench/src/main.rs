//! Benchmarks and long runs, one command each: `cargo run --release -p bench -- <command>`.

use clap::{Parser, Subcommand};

mod play;

/// Benchmarks and long runs of Telar.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Plays random matches over HTTP on both stores, and compares every view with the replay.
    Play(play::Play),
}

#[actix_web::main]
async fn main() {
    match Arguments::parse().command {
        Command::Play(command) => command.run().await,
    }
}
