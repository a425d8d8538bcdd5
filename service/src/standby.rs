//! Watching the standby of the store: one that has failed or fallen behind answers reads again once it is well.

use std::time::Duration;

use store::Db;

use crate::tasks::Shutdown;

/// How often to look.
const EVERY: Duration = Duration::from_millis(500);

/// Checks the standby, until told to stop.
pub async fn watch(db: &Db, mut shutdown: Shutdown) {
    loop {
        tokio::select! {
            () = shutdown.requested() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
        db.check_standby().await;
    }
}
