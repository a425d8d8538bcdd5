//! Keeps the partitions of the log ahead of time, if it has any.

use std::time::Duration;

use store::{Db, partitions};

use crate::{
    clock::{self, Clock},
    tasks::Shutdown,
};

/// How often to look.
const INTERVAL: Duration = Duration::from_hours(24);
/// How soon to look again after an error.
const BACK_OFF: Duration = Duration::from_mins(10);

/// Creates the partitions of the next months, now and every day, until told to stop.
pub async fn keep_ahead(db: &Db, clock: &Clock, mut shutdown: Shutdown) {
    loop {
        let now = clock.now();
        let pause = match partitions::extend(db, now).await {
            Ok(created) => {
                for table in created {
                    tracing::info!(table, "created a partition of the log");
                }
                INTERVAL
            }
            Err(error) => {
                // There are months left: until then, nobody needs a new one.
                tracing::warn!(%error, "cannot create partitions of the log");
                BACK_OFF
            }
        };
        tokio::select! {
            () = shutdown.requested() => return,
            () = clock.sleep_until(now, clock::after(now, pause)) => {}
        }
    }
}
