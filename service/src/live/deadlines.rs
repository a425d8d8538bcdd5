//! Deadlines: every replica looks for matches whose deadline has passed. If several find the same one, the log lets one act;
//! the others learn that nothing is due any more.

use std::time::Duration;

use domain::matches::Command;
use futures_util::{StreamExt, stream};
use uuid::Uuid;

use super::{CommandContext, Matches};
use crate::{error::Result, tasks::Shutdown};

/// No deadline is shorter than this, so looking this often finds each of them before it passes.
const POLL: Duration = Duration::from_secs(1);
/// How many matches are read at once.
const PAGE: u64 = 500;
/// How many matches are timed out at the same time.
const CONCURRENCY: usize = 32;

pub(super) async fn watch(matches: &Matches, mut shutdown: Shutdown) {
    loop {
        let wait = match time_out_due(matches).await {
            Ok(wait) => wait,
            Err(error) => {
                tracing::warn!(%error, "cannot look for deadlines");
                POLL
            }
        };
        tokio::select! {
            () = shutdown.requested() => return,
            () = matches.clock.sleep(wait) => {}
        }
    }
}

/// Times out every match that is due; returns how long to wait until the next one is.
async fn time_out_due(matches: &Matches) -> Result<Duration> {
    let now = matches.clock.now();
    let mut after = None;
    loop {
        let due = matches.log.due(now, after, PAGE).await?;
        let ids: Vec<Uuid> = due.iter().map(|(_, id)| *id).collect();
        stream::iter(ids)
            .for_each_concurrent(CONCURRENCY, async |id| {
                if let Err(error) = time_out(matches, id).await {
                    tracing::warn!(%error, %id, "cannot act on a deadline");
                }
            })
            .await;
        after = due.last().copied();
        if after.is_none() {
            break;
        }
    }
    let next = matches.log.next_due(now).await?;
    let left = next.map(|next| next.micros().saturating_sub(matches.clock.now().micros()).max(0));
    // Rather a little late than too early: a deadline that has not quite passed would have to be looked at again.
    let wait = left.map_or(POLL, |left| Duration::from_micros(left.unsigned_abs() + 1_000));
    Ok(wait.min(POLL))
}

async fn time_out(matches: &Matches, id: Uuid) -> Result<()> {
    let now = matches.clock.now();
    let context = CommandContext::new(matches.clock.new_id(), now);
    match matches.execute(id, &Command::TimeOut, &context).await {
        Ok(_) => metrics::counter!("telar_timeouts_total").increment(1),
        // Another replica was faster, or the player was.
        Err(error) if error.is_refusal() => {}
        Err(error) => return Err(error),
    }
    Ok(())
}
