//! A chaos run over both stores that prints the invariants as a table: `faults --seconds 600`. Ends with 1 if one is broken.

use std::{path::PathBuf, process::ExitCode, time::Duration};

use clap::Parser;
use tests::{faults::Plan, server::Store};

/// Break servers, databases, connections, disks and clocks while a crowd plays, and check that nothing acknowledged is lost.
#[derive(Debug, Parser)]
struct Arguments {
    /// The time for all faults together, in seconds.
    #[arg(long, default_value_t = 540)]
    seconds: u64,
    /// How long a fault lasts before it is healed, in milliseconds.
    #[arg(long, default_value_t = 4_000)]
    hold: u64,
    /// How long a player may be unable to move after a fault was healed, in seconds.
    #[arg(long, default_value_t = 15)]
    recovery: u64,
    /// Only the faults of the short form.
    #[arg(long)]
    short: bool,
    /// Only faults whose names contain this.
    #[arg(long)]
    fault: Vec<String>,
    /// Only on this store: `sqlite` or `postgres`.
    #[arg(long)]
    store: Option<String>,
    /// The number of players.
    #[arg(long, default_value_t = 16)]
    players: usize,
    /// The seed of all choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The server; by default the one next to this program.
    #[arg(long)]
    binary: Option<PathBuf>,
}

#[actix_web::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let next_to_us = || std::env::current_exe().expect("our own path").with_file_name("telar");
    let stores = match arguments.store.as_deref() {
        None => vec![Store::Sqlite, Store::Postgres],
        Some("sqlite") => vec![Store::Sqlite],
        Some("postgres") => vec![Store::Postgres],
        Some(other) => panic!("`{other}` is not a store"),
    };
    let plan = Plan {
        binary: arguments.binary.unwrap_or_else(next_to_us),
        stores,
        faults: arguments.fault,
        is_short: arguments.short,
        time: Duration::from_secs(arguments.seconds),
        hold: Duration::from_millis(arguments.hold),
        recovery: Duration::from_secs(arguments.recovery),
        players: arguments.players,
        seed: arguments.seed,
    };
    if plan.run().await { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
