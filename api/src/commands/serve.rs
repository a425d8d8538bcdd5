//! `telar serve`

use std::pin::pin;

use futures_util::future;
use service::Clock;

use super::say;

use crate::{
    config::Config,
    startup::{self, StartError},
};

pub(super) async fn run(config: &Config) -> Result<(), StartError> {
    let running = startup::build(config, Clock::system()).await?;
    let address = running.address;
    let (server, stop) = running.split();
    let told = told_to_end();
    say(&format!("Telar listens on http://{address}"));
    say(&format!("The docs are at http://{address}/docs/"));
    let mut server = pin!(server);
    let ended = tokio::select! {
        ended = &mut server => ended,
        // The server ends as soon as requests are answered; the process only when the background tasks have stopped, too.
        () = told => future::join(server, stop.stop()).await.0,
    };
    ended.map_err(|error| StartError::Listen { address, error })
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
