//! Whether the store can be written to, found out by writing to it. A read-only server only has to read it.

use std::time::{Duration, Instant};

use store::{Db, Outage, heartbeat};
use tokio::sync::Mutex;

use crate::clock::Clock;

/// How long the store may take.
const LIMIT: Duration = Duration::from_millis(1_500);
/// How long a result is good: however often somebody asks, the store is used once in this time.
const FRESH: Duration = Duration::from_secs(1);

/// Checks the store, one check at a time.
#[derive(Debug)]
pub struct Readiness {
    db: Db,
    clock: Clock,
    last: Mutex<Option<(Instant, Result<(), Outage>)>>,
}

impl Readiness {
    /// Checks this store.
    #[must_use]
    pub fn new(db: Db, clock: Clock) -> Self {
        Self { db, clock, last: Mutex::default() }
    }

    /// Whether the store can be used, now or a moment ago.
    pub async fn check(&self) -> Result<(), Outage> {
        // Everybody who waits for a check gets its result.
        let mut last = self.last.lock().await;
        if let Some((at, result)) = *last
            && at.elapsed() < FRESH
        {
            return result;
        }
        let result = self.use_store().await;
        *last = Some((Instant::now(), result));
        result
    }

    async fn use_store(&self) -> Result<(), Outage> {
        let using = async {
            if self.db.is_read_only() {
                heartbeat::look(&self.db).await
            } else {
                heartbeat::beat(&self.db, self.clock.now()).await
            }
        };
        let used = tokio::time::timeout(LIMIT, using).await;
        let outage = match &used {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(store::Error::Unavailable(outage, _))) => *outage,
            Ok(Err(_)) | Err(_) => Outage::Unreachable,
        };
        if let Ok(Err(error)) = used {
            tracing::warn!(%error, "not ready: the store cannot be used");
        } else {
            tracing::warn!("not ready: the store does not answer in time");
        }
        Err(outage)
    }
}
