//! `telar`: the server and its command line.

use std::process::ExitCode;

use api::{commands, config::Config};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The exit code for a configuration that cannot work.
const UNUSABLE: u8 = 2;
/// The exit code for a store that cannot be reached.
const UNREACHABLE: u8 = 3;

#[actix_web::main]
async fn main() -> ExitCode {
    match commands::run(&Config::from_environment()).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("telar: {error}");
            ExitCode::from(if error.is_outage() { UNREACHABLE } else { UNUSABLE })
        }
    }
}
