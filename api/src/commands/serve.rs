//! `telar serve`

use std::pin::pin;

use futures_util::future;
use service::Clock;

use super::print_line;

use crate::{
    config::Config,
    startup::{self, StartError},
};

pub(super) async fn run(config: &Config) -> Result<(), StartError> {
    let running = startup::build(config, Clock::system()).await?;
    let address = running.address;
    let metrics = running.metrics_address();
    let (server, stop) = running.split();
    let signal = termination();
    print_line(&format!("Telar is listening on http://{address}"));
    print_line(&format!("Documentation: http://{address}/docs/"));
    if let Some(metrics) = metrics {
        print_line(&format!("Metrics: http://{metrics}/metrics"));
    }
    let mut server = pin!(server);
    let ended = tokio::select! {
        ended = &mut server => ended,
        // The server ends as soon as requests are answered; the process only when the background tasks have stopped, too.
        () = signal => future::join(server, stop.stop()).await.0,
    };
    ended.map_err(|error| StartError::Listen { address, error })
}

/// Waits for a signal to terminate. Signals count from this call on, not from the first poll.
#[cfg(unix)]
fn termination() -> impl Future<Output = ()> {
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

/// Waits for a signal to terminate.
#[cfg(not(unix))]
async fn termination() {
    let _ = tokio::signal::ctrl_c().await;
}
