//! Fuzzing: `fuzz sockets` sends broken requests over raw sockets; `fuzz with-server <command>` starts a server for another
//! program that tests it, such as schemathesis.

use std::{path::Path, process::ExitCode, time::Duration};

use clap::{Parser, Subcommand};
use tests::{
    fuzz::{Sockets, Target},
    postgres::{Disk, Postgres},
    process::Telar,
};

/// Fuzz a server.
#[derive(Debug, Parser)]
struct Arguments {
    /// On a private Postgres instead of SQLite.
    #[arg(long)]
    postgres: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Send broken requests over raw sockets.
    Sockets {
        /// How long, in seconds.
        #[arg(long, default_value_t = 120)]
        seconds: u64,
        /// The seed of all cases.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Only the case with this number.
        #[arg(long)]
        only: Option<u64>,
    },
    /// Run a command with the address of a server and everything else it has to know in variables.
    WithServer {
        /// The command.
        #[arg(trailing_var_arg = true, required = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

#[actix_web::main]
async fn main() -> ExitCode {
    let binary = std::env::current_exe().expect("our own path").with_file_name("telar");
    let arguments = Arguments::parse();
    let postgres = arguments.postgres.then(|| Postgres::start(Disk::Careless));
    let database_url = match &postgres {
        Some(postgres) => Some(postgres.create_database().await),
        None => None,
    };
    let is_well = match arguments.command {
        Command::Sockets { seconds, seed, only } => {
            let time = Duration::from_secs(seconds);
            Sockets { binary, database_url, time, seed, only }.run().await
        }
        Command::WithServer { command } => with_server(&binary, database_url, command).await,
    };
    if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn with_server(binary: &Path, database_url: Option<String>, command: Vec<String>) -> bool {
    let directory = tempfile::tempdir().expect("a directory");
    let mut variables = vec![
        ("TELAR_LOG", "off"),
        ("TELAR_WEBHOOK_ALLOW_HTTP", "true"),
        ("TELAR_WEBHOOK_ALLOW_PRIVATE", "true"),
    ];
    variables.extend(database_url.as_deref().map(|url| ("DATABASE_URL", url)));
    let server = Telar::start_in(binary, directory.path(), &variables);
    let target = Target::new(&server.url).await;
    let mut process = std::process::Command::new(&command[0]);
    process.args(&command[1..]).envs(target.variables().await).env("NO_PROXY", "127.0.0.1");
    let status = tokio::task::spawn_blocking(move || process.status()).await.expect("a thread");
    let status = status.unwrap_or_else(|error| panic!("{}: {error}", command[0]));
    target.is_well().await;
    server.terminate().await.success() && status.success()
}
