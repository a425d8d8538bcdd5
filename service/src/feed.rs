//! Following the feed: one algorithm for every consumer that keeps its position in the store.
//!
//! One replica at a time processes the entries after the stored position. What they lead to is written in one transaction
//! together with the new position, so every entry takes effect exactly once, whichever process is killed and when.

use std::time::Duration;

use store::{
    Db, EventLog, Transaction,
    event_log::{FeedEntry, FeedPosition},
};
use tokio::sync::watch;

use crate::{error::Result, tasks::Shutdown};

#[cfg(test)]
mod tests;

/// A batch ends with the entry that brings it over this many commits.
const COMMITS: usize = 20_000;
/// The pause after an error.
const BACK_OFF: Duration = Duration::from_secs(1);

/// The stored state of a consumer: its position, and whatever else must not change while a batch is processed.
pub trait Checkpoint: PartialEq + Send + Sync {
    /// How far the feed has been processed.
    fn position(&self) -> FeedPosition;

    /// Whether earlier batches have left work over. Then a batch is written even if there are no new entries.
    fn is_unfinished(&self) -> bool {
        false
    }
}

impl Checkpoint for FeedPosition {
    fn position(&self) -> FeedPosition {
        self.clone()
    }
}

/// What one look at the feed came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// There was nothing new.
    Idle,
    /// Another replica is processing the same entries.
    Elsewhere,
    /// A batch was processed, and there may be more. The number says how much work was found in it.
    Processed(usize),
}

/// A consumer of the feed.
pub trait FeedConsumer: Send {
    /// The name of the consumer, for log lines.
    const NAME: &'static str;
    /// The most entries in a batch.
    const ENTRIES: u64;
    /// How many entries without any work the stored position may be behind. A write per batch would cost a flush of the disk
    /// for nothing; after a restart those entries are read again.
    const UNWRITTEN: u64;
    /// How long to wait for a sign of growth before polling.
    const POLL: Duration;

    /// The stored state of the consumer.
    type Checkpoint: Checkpoint;
    /// What is written for a batch.
    type Work: Send;

    /// Reads the stored state.
    fn checkpoint(&self, db: &Db) -> impl Future<Output = Result<Self::Checkpoint>> + Send;

    /// Locks the stored state for a transaction and reads it; nothing if another transaction holds the lock.
    fn lock(
        &self,
        work: &Transaction,
    ) -> impl Future<Output = Result<Option<Self::Checkpoint>>> + Send;

    /// Whether any entry that is in the feed at this moment can lead to work.
    fn is_interested(&self, db: &Db) -> impl Future<Output = Result<bool>> + Send {
        let _ = db;
        async { Ok(true) }
    }

    /// Works out what is to be written for a batch, and how much it is; nothing if no entry leads to work.
    fn prepare(
        &mut self,
        entries: &[FeedEntry],
    ) -> impl Future<Output = Result<Option<(Self::Work, usize)>>> + Send;

    /// Writes the work of a batch, if any, and the new position.
    fn write(
        &self,
        work: &Transaction,
        checkpoint: &Self::Checkpoint,
        prepared: Option<Self::Work>,
        position: FeedPosition,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Called after this much work was committed.
    fn committed(&self, amount: usize) {
        let _ = amount;
    }

    /// How long to pause, so that many small batches are processed together.
    fn pause(progress: Progress) -> Duration;
}

/// Follows the feed for a consumer.
#[derive(Debug)]
pub struct Follower<C> {
    log: EventLog,
    consumer: C,
    /// Up to here no entry leads to work, although the stored position may be behind.
    clear: FeedPosition,
}

impl<C: FeedConsumer> Follower<C> {
    /// Follows this feed for a consumer.
    pub fn new(log: EventLog, consumer: C) -> Self {
        Self { log, consumer, clear: FeedPosition::START }
    }

    /// Follows the feed from the stored position on, until told to stop. `grown` changes when the feed may have grown.
    pub async fn run(mut self, mut grown: watch::Receiver<u64>, mut shutdown: Shutdown) {
        while !shutdown.is_requested() {
            grown.mark_unchanged();
            let progress = self.step().await;
            let pause = match &progress {
                Ok(progress) => C::pause(*progress),
                Err(error) => {
                    tracing::warn!(consumer = C::NAME, %error, "cannot process the feed");
                    BACK_OFF
                }
            };
            tokio::select! {
                () = shutdown.requested() => return,
                () = tokio::time::sleep(pause) => {}
            }
            if matches!(progress, Ok(Progress::Idle | Progress::Elsewhere)) {
                tokio::select! {
                    () = shutdown.requested() => return,
                    _ = grown.changed() => {}
                    () = tokio::time::sleep(C::POLL) => {}
                }
            }
        }
    }

    /// Processes one batch.
    pub async fn step(&mut self) -> Result<Progress> {
        let db = self.log.database();
        let seen = self.consumer.checkpoint(db).await?;
        let start = seen.position().union(&self.clear);
        // Read before the consumer is asked: entries after this one may concern somebody who becomes interested meanwhile.
        let head = self.log.feed_head().await?;
        if start.covers(&head) && !seen.is_unfinished() {
            return Ok(Progress::Idle);
        }
        if !self.consumer.is_interested(db).await? {
            // Another replica may have stored a position that has not been reached here.
            let head = head.union(&start);
            if Self::may_skip(&seen, &head) {
                self.clear = head;
                return Ok(Progress::Idle);
            }
            let Some(work) = self.begin(&seen).await? else { return Ok(Progress::Elsewhere) };
            self.finish(work, &seen, None, head).await?;
            return Ok(Progress::Idle);
        }
        // On a shared store the lock comes first, so that no two replicas prepare the same batch. Otherwise it comes last,
        // because nobody else can write while it is held.
        let mut locked = None;
        if self.log.is_shared() {
            let Some(work) = self.begin(&seen).await? else { return Ok(Progress::Elsewhere) };
            locked = Some(work);
        }
        let entries = read_batch(&self.log, &start, C::ENTRIES).await?;
        let end = match entries.last() {
            Some(entry) => entry.pos.clone(),
            None if seen.is_unfinished() => start,
            None => return Ok(Progress::Idle),
        };
        let (prepared, amount) = self.consumer.prepare(&entries).await?.unzip();
        let amount = amount.unwrap_or(0);
        if prepared.is_none() && !seen.is_unfinished() && Self::may_skip(&seen, &end) {
            self.clear = end;
            return Ok(Progress::Processed(0));
        }
        let work = match locked {
            Some(work) => work,
            None => match self.begin(&seen).await? {
                Some(work) => work,
                None => return Ok(Progress::Elsewhere),
            },
        };
        self.finish(work, &seen, prepared, end).await?;
        self.consumer.committed(amount);
        Ok(Progress::Processed(amount))
    }

    /// Whether the stored position may stay where it is, although everything up to `position` has been processed.
    fn may_skip(seen: &C::Checkpoint, position: &FeedPosition) -> bool {
        position.entries_since(&seen.position()) <= C::UNWRITTEN
    }

    /// Begins a transaction that holds the lock of the consumer; nothing if another replica is or was faster.
    async fn begin(&self, seen: &C::Checkpoint) -> Result<Option<Transaction>> {
        let work = store::begin(self.log.database()).await?;
        let current = self.consumer.lock(&work).await?;
        Ok((current.as_ref() == Some(seen)).then_some(work))
    }

    async fn finish(
        &self,
        work: Transaction,
        seen: &C::Checkpoint,
        prepared: Option<C::Work>,
        position: FeedPosition,
    ) -> Result<()> {
        self.consumer.write(&work, seen, prepared, position).await?;
        Ok(store::commit(work).await?)
    }
}

/// The entries after a position: `limit` at most, and no more than make up a reasonable number of commits.
pub async fn read_batch(
    log: &EventLog,
    after: &FeedPosition,
    limit: u64,
) -> Result<Vec<FeedEntry>> {
    let mut entries = log.feed(after, limit).await?;
    let mut commits = 0;
    let enough = entries.iter().position(|entry| {
        commits += entry.commits.len();
        commits > COMMITS
    });
    if let Some(last) = enough {
        entries.truncate(last + 1);
    }
    Ok(entries)
}
