//! What `telar` can be told to do on its command line, one file each.

use std::io::Write;

use crate::{
    config::{Config, Task},
    startup::StartError,
    telemetry,
};

mod migrate;
mod rebuild;
mod seed;
mod serve;

pub use seed::Seed;

/// Does what the command line asks for.
pub async fn run(config: &Config) -> Result<(), StartError> {
    telemetry::start_logging(config)?;
    match config.command.as_ref().unwrap_or(&Task::Serve) {
        Task::Serve => serve::run(config).await,
        Task::Migrate => migrate::run(config).await,
        Task::Seed(seed) => seed::run(config, seed).await,
        Task::Rebuild => rebuild::run(config).await,
    }
}

/// Prints a line; whether anybody reads it is not our business.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
