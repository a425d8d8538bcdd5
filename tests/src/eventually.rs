//! Waiting for something that happens on its own time, such as a replica reading what another one wrote.

use std::time::Duration;

/// How long most things may take before the test has failed. It is generous, since tests run side by side.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// How long to pause between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Looks again and again, with a pause in between, until there is something to return. Fails when `limit` has passed; `what`
/// completes the sentence "not within 10s: …". Where the server offers a stream or a long poll, prefer that.
pub async fn eventually<T>(
    what: &str,
    limit: Duration,
    mut look: impl AsyncFnMut() -> Option<T>,
) -> T {
    let looking = async {
        loop {
            if let Some(seen) = look().await {
                return seen;
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    let seen = tokio::time::timeout(limit, looking).await;
    seen.unwrap_or_else(|_| panic!("not within {limit:?}: {what}"))
}
