//! Deadlines: every replica looks for matches whose deadline has passed. Of several that find the same one, the log lets one
//! act; the others are told that nothing is due any more.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use domain::matches::Command;
use futures_util::{StreamExt, stream};
use uuid::Uuid;

use super::{Matches, Order};
use crate::{clock, error::ApiError};

/// No deadline is shorter than this is long: whoever looks this often knows of each before it passes.
const POLL: Duration = Duration::from_secs(1);
/// How many matches are read at once.
const PAGE: u64 = 500;
/// How many matches are seen to at the same time.
const AT_ONCE: usize = 32;

/// As long as somebody holds this, deadlines are watched.
#[derive(Debug)]
pub(super) struct Watch;

impl Watch {
    /// Watches the deadlines of all matches in the store.
    pub(super) fn start(matches: &Matches) -> Arc<Self> {
        let watch = Arc::new(Self);
        // Ends with the server: the task does not keep the watch alive.
        tokio::spawn(run(Arc::downgrade(&watch), matches.clone()));
        watch
    }
}

async fn run(watch: Weak<Watch>, matches: Matches) {
    while watch.strong_count() > 0 {
        let wait = match look(&matches).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::warn!(%error, "deadlines cannot be looked after");
                POLL
            }
        };
        tokio::time::sleep(wait).await;
    }
}

/// Sees to every match that is due; says how long nothing more will be.
async fn look(matches: &Matches) -> Result<Duration, ApiError> {
    let now = clock::now();
    let mut after = None;
    loop {
        let due = matches.store.due(now, after, PAGE).await?;
        let ids: Vec<Uuid> = due.iter().map(|(_, id)| *id).collect();
        stream::iter(ids)
            .for_each_concurrent(AT_ONCE, async |id| {
                if let Err(error) = time_out(matches, id).await {
                    tracing::warn!(%error, %id, "a deadline was not acted upon");
                }
            })
            .await;
        after = due.last().copied();
        if after.is_none() {
            break;
        }
    }
    let next = matches.store.next_due(now).await?;
    let wait = next.map_or(i64::MAX, |next| next.micros().saturating_sub(clock::now().micros()));
    // A little later than sooner: a deadline that has not quite passed would have to be looked at again.
    Ok(Duration::from_micros(u64::try_from(wait).unwrap_or_default() + 1_000).min(POLL))
}

async fn time_out(matches: &Matches, id: Uuid) -> Result<(), ApiError> {
    let now = clock::now();
    let order = Order { command_id: clock::new_id(now), if_match: None, at: now };
    match matches.execute(id, &Command::TimeOut, &order).await {
        Ok(_) => metrics::counter!("telar_timeouts_total").increment(1),
        // Another replica was faster, or the player was.
        Err(error) if error.status().is_client_error() => {}
        Err(error) => return Err(error),
    }
    Ok(())
}
