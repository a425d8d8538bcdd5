//! `telar`: the server and its command line.

use std::process::ExitCode;

use api::{commands, config::Config};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[actix_web::main]
async fn main() -> ExitCode {
    match commands::run(&Config::from_environment()).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("telar: {error}");
            ExitCode::from(2)
        }
    }
}
