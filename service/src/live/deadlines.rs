//! Deadlines: every replica looks for matches whose deadline has passed, and for those in which a bot should have moved. If
//! several find the same match, one of them wins the race for the log, and the commands of the others are refused.

use std::time::Duration;

use domain::{matches::Command, time::Timestamp};
use futures_util::{StreamExt, stream};
use uuid::Uuid;

use super::{CommandContext, Consistency, Matches};
use crate::{clock, error::Result, tasks::Shutdown};

/// No deadline is shorter than this, so looking this often finds each of them before it passes.
const POLL: Duration = Duration::from_secs(1);
/// How long after a deadline we look.
const GRACE: Duration = Duration::from_millis(1);
/// How many matches are read at once.
const PAGE: u64 = 500;
/// How many matches are timed out at the same time.
const CONCURRENCY: usize = 32;

pub(super) async fn watch(matches: &Matches, mut shutdown: Shutdown) {
    loop {
        let now = matches.clock.now();
        let next = act_on_due(matches, now).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot look for deadlines");
            clock::after(now, POLL)
        });
        tokio::select! {
            () = shutdown.requested() => return,
            () = matches.clock.sleep_until(now, next) => {}
        }
    }
}

/// Acts on every match that is due at `now`; returns when to look again.
async fn act_on_due(matches: &Matches, now: Timestamp) -> Result<Timestamp> {
    let mut after = None;
    loop {
        let due = matches.log.due(now, after, PAGE).await?;
        let ids: Vec<Uuid> = due.iter().map(|(_, id)| *id).collect();
        stream::iter(ids)
            .for_each_concurrent(CONCURRENCY, async |id| {
                if let Err(error) = act_on(matches, id).await {
                    tracing::warn!(%error, %id, "cannot act on a deadline");
                }
            })
            .await;
        after = due.last().copied();
        if after.is_none() {
            break;
        }
    }
    // Slightly late rather than too early: a deadline that has not quite passed would have to be looked at again.
    let next = matches.log.next_due(now).await?.map(|next| clock::after(next, GRACE));
    let at_the_latest = clock::after(now, POLL);
    Ok(next.map_or(at_the_latest, |next| next.min(at_the_latest)))
}

async fn act_on(matches: &Matches, id: Uuid) -> Result<()> {
    let Some(m) = matches.get(id, Consistency::Local).await? else { return Ok(()) };
    if m.bots_to_act().is_empty() {
        return time_out(matches, id).await;
    }
    matches.bot_calls.call(id, m.creator());
    let is_due = m.due_at().is_some_and(|due| due <= matches.clock.now());
    if is_due { time_out(matches, id).await } else { Ok(()) }
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
