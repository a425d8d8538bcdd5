//! `telar`: the server and its command line.

use std::process::ExitCode;

use api::{
    config::{Config, Task},
    startup::{self, StartError},
    store::{self, StoreError},
    telemetry,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[actix_web::main]
async fn main() -> ExitCode {
    let config = Config::from_environment();
    let done = match telemetry::start_logging(&config) {
        Err(error) => Err(error.into()),
        Ok(()) => match config.command.unwrap_or(Task::Serve) {
            Task::Serve => serve(&config).await,
            Task::Migrate => migrate(&config).await.map_err(StartError::from),
        },
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("telar: {error}");
            ExitCode::from(2)
        }
    }
}

async fn serve(config: &Config) -> Result<(), StartError> {
    let running = startup::build(config).await?;
    let handle = running.server.handle();
    let told = told_to_end();
    actix_web::rt::spawn(async move {
        told.await;
        handle.stop(true).await;
    });
    say(&format!("Telar listens on http://{}", running.address));
    say(&format!("The docs are at http://{}/docs/", running.address));
    running.server.await.map_err(|error| StartError::Listen { address: running.address, error })
}

/// Prints a line; whether anybody reads it is not our business.
fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Waits until the process is told to end; whoever tells it after this call is heard.
#[cfg(unix)]
fn told_to_end() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
    async move {
        if let (Ok(mut terminate), Ok(mut interrupt)) = signals {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        }
    }
}

/// Waits until the process is told to end.
#[cfg(not(unix))]
async fn told_to_end() {
    let _ = tokio::signal::ctrl_c().await;
}

async fn migrate(config: &Config) -> Result<(), StoreError> {
    let kind = config.store_kind()?;
    let db = store::connect(config).await?;
    store::migrate(&db, kind).await?;
    say("The schema is up to date.");
    Ok(())
}
