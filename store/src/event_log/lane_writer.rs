//! The writer of a store whose lanes have feeds of their own: each lane is written by itself, many at a time. A lane that cannot
//! be written to waits, while the others go on.

use std::{
    collections::BTreeMap,
    pin::pin,
    time::{Duration, Instant},
};

use futures_util::{StreamExt as _, stream::FuturesUnordered};
use tokio::sync::mpsc;

use super::{
    AppendError, FeedProgress,
    writer::{
        Attempt, Audience, BATCH, BatchWriter, LONGEST, Row, Waiter, WriteError, Written, answer,
        back_off, record_size,
    },
};
use crate::{Db, lane::Lane};

/// How many lanes are written at once, each over a connection of its own.
const AT_ONCE: usize = 16;
/// How many of them may be lanes that could not be written to the last time: those may take long.
const SUSPECTS: usize = 4;

/// How many commits may wait for a lane that cannot be written to; more are refused at once.
const WAITING: usize = 1_000;

/// What waits for one lane.
#[derive(Default)]
struct LaneQueue {
    waiting: Vec<(Row, Waiter)>,
    /// A batch that could not be written so far.
    failed: Option<Batch>,
    in_flight: bool,
}

impl LaneQueue {
    fn is_empty(&self) -> bool {
        !self.in_flight && self.failed.is_none() && self.waiting.is_empty()
    }

    fn add(&mut self, row: Row, waiter: Waiter) {
        if self.failed.is_some() && self.waiting.len() >= WAITING {
            answer(&[row], vec![waiter], &Err(AppendError::Busy));
        } else {
            self.waiting.push((row, waiter));
        }
    }
}

/// Commits of one lane that are written together.
struct Batch {
    rows: Vec<Row>,
    waiters: Vec<Waiter>,
    /// When it was sent for the first time.
    since: Instant,
    tries: u32,
    /// When to send it again.
    not_before: Instant,
    may_be_written: bool,
}

/// A batch that was sent.
struct Sent {
    lane: Lane,
    writer: BatchWriter,
    batch: Batch,
    is_suspect: bool,
    result: Result<Written, Attempt>,
}

/// Writes until `stop` resolves and nothing waits any more.
pub(super) async fn run(
    db: &Db,
    queue: &mut mpsc::Receiver<(Row, Waiter)>,
    progress: &FeedProgress,
    stop: impl Future<Output = ()>,
) {
    let mut lanes: BTreeMap<Lane, LaneQueue> = BTreeMap::new();
    let mut idle: Vec<BatchWriter> = Vec::new();
    let mut sending = FuturesUnordered::new();
    let mut suspects = 0;
    let mut arrived = Vec::with_capacity(BATCH);
    let mut stop = pin!(stop);
    let (mut stopping, mut closed) = (false, false);
    loop {
        let now = Instant::now();
        let mut wake: Option<Instant> = None;
        for (lane, queue) in &mut lanes {
            if queue.in_flight || sending.len() >= AT_ONCE {
                continue;
            }
            let is_suspect = queue.failed.is_some();
            if let Some(failed) = &queue.failed {
                if suspects >= SUSPECTS {
                    continue;
                }
                if failed.not_before > now {
                    wake = Some(wake.map_or(failed.not_before, |at| at.min(failed.not_before)));
                    continue;
                }
            } else if queue.waiting.is_empty() {
                continue;
            }
            let batch = queue.failed.take().unwrap_or_else(|| take(&mut queue.waiting, now));
            queue.in_flight = true;
            suspects += usize::from(is_suspect);
            let mut writer = idle.pop().unwrap_or_else(|| BatchWriter::new(db));
            let audience = if progress.is_alone() { Audience::Nobody } else { Audience::Others };
            let lane = *lane;
            sending.push(async move {
                let result = writer.attempt(&batch.rows, audience).await;
                Sent { lane, writer, batch, is_suspect, result }
            });
        }
        lanes.retain(|_, lane| !lane.is_empty());
        if closed && lanes.is_empty() {
            return;
        }
        let pause = wake.map(|at| at.saturating_duration_since(now).max(Duration::from_millis(1)));
        tokio::select! {
            biased;
            Some(sent) = sending.next() => {
                suspects -= usize::from(sent.is_suspect);
                let queue = lanes.entry(sent.lane).or_default();
                queue.in_flight = false;
                idle.push(sent.writer);
                settle(queue, sent.lane, sent.batch, sent.result, progress);
            }
            taken = queue.recv_many(&mut arrived, BATCH), if !closed => {
                closed = taken == 0;
                for (row, waiter) in arrived.drain(..) {
                    lanes.entry(row.lane).or_default().add(row, waiter);
                }
            }
            () = &mut stop, if !stopping => {
                // Waiting commits are still written; no more are accepted.
                queue.close();
                stopping = true;
            }
            () = tokio::time::sleep(pause.unwrap_or_default()), if pause.is_some() => {}
        }
    }
}

/// The next batch of a lane, in the order of its keys.
fn take(waiting: &mut Vec<(Row, Waiter)>, now: Instant) -> Batch {
    let mut taken: Vec<(Row, Waiter)> = waiting.drain(..waiting.len().min(BATCH)).collect();
    taken.sort_unstable_by_key(|(row, _)| row.key());
    let (rows, waiters) = taken.into_iter().unzip();
    Batch { rows, waiters, since: now, tries: 0, not_before: now, may_be_written: false }
}

/// Answers those who wait for a batch, or keeps it to be sent again.
fn settle(
    queue: &mut LaneQueue,
    lane: Lane,
    mut batch: Batch,
    result: Result<Written, Attempt>,
    progress: &FeedProgress,
) {
    let written = match result {
        Ok(written) => Ok(written),
        Err(Attempt { error, is_lost, is_transient }) => {
            batch.tries += 1;
            batch.may_be_written |= is_lost;
            if is_transient && (batch.tries == 1 || batch.since.elapsed() < LONGEST) {
                metrics::counter!("telar_batches_sent_again_total").increment(1);
                tracing::warn!(lane = lane.column(), %error, "sending a batch again");
                batch.not_before = Instant::now() + back_off(batch.tries);
                queue.failed = Some(batch);
                return;
            }
            // Those who wait behind it have waited long enough, and theirs was never sent.
            let unsent = Err(AppendError::from(WriteError { error, may_be_written: false }));
            let (rows, waiters): (Vec<Row>, _) = queue.waiting.drain(..).unzip();
            answer(&rows, waiters, &unsent);
            unsent.map_err(|unsent| match unsent {
                AppendError::Unavailable(text) if batch.may_be_written => {
                    AppendError::Unknown(text)
                }
                error => error,
            })
        }
    };
    record_size(batch.rows.len());
    answer(&batch.rows, batch.waiters, &written);
    if let Ok(written) = &written {
        progress.wrote(&batch.rows, written);
    }
}
