//! Counting matches as they end.

use std::time::Duration;

use store::{
    Db, EventLog, Transaction,
    event_log::{FeedEntry, FeedPosition},
    statistics::{self, Projection},
};
use tokio::sync::watch;

use super::{
    book::{Book, STRETCH},
    ended::EndedMatches,
    record::Record,
};
use crate::{
    error::Result,
    feed::{Checkpoint, FeedConsumer, Follower, Progress},
    tasks::Shutdown,
};

/// From this many matches on, the next batch is processed without a pause.
const MANY: usize = 50;
/// The pause after some matches were counted: counting many at once costs little more than counting one.
const PAUSE_AFTER_COUNTING: Duration = Duration::from_millis(500);
/// The pause after everything else.
const PAUSE: Duration = Duration::from_millis(100);

/// Follows the feed from the stored position on, until told to stop. `grown` changes when the feed may have grown.
pub async fn follow(log: &EventLog, grown: watch::Receiver<u64>, shutdown: Shutdown) {
    follower(log, STRETCH).run(grown, shutdown).await;
}

/// Processes one batch of the feed.
pub async fn step(log: &EventLog) -> Result<Progress> {
    follower(log, STRETCH).step().await
}

/// Processes one batch of the feed, and settles results in stretches of about this many.
pub async fn step_in_stretches(log: &EventLog, stretch: u64) -> Result<Progress> {
    follower(log, stretch).step().await
}

fn follower(log: &EventLog, stretch: u64) -> Follower<Counter> {
    Follower::new(log.clone(), Counter { log: log.clone(), stretch })
}

/// Counts the matches that end in the feed.
#[derive(Debug)]
struct Counter {
    log: EventLog,
    /// About how many results are settled at once.
    stretch: u64,
}

impl Checkpoint for Projection {
    fn position(&self) -> FeedPosition {
        self.position.clone()
    }

    fn is_unfinished(&self) -> bool {
        self.unsettled_since.is_some()
    }
}

impl FeedConsumer for Counter {
    const NAME: &'static str = "statistics";
    const ENTRIES: u64 = super::ended::ENTRIES;
    /// The position is part of what readers see, so it is always written.
    const UNWRITTEN: u64 = 0;
    const POLL: Duration = Duration::from_millis(100);

    type Checkpoint = Projection;
    type Work = Vec<Record>;

    async fn checkpoint(&self, db: &Db) -> Result<Projection> {
        Ok(statistics::projection(db).await?)
    }

    async fn lock(&self, work: &Transaction) -> Result<Option<Projection>> {
        Ok(statistics::try_lock(work).await?)
    }

    async fn prepare(&mut self, entries: &[FeedEntry]) -> Result<Option<(Vec<Record>, usize)>> {
        let records = EndedMatches::new(&self.log).records(entries).await?;
        let amount = records.len();
        Ok((amount > 0).then_some((records, amount)))
    }

    async fn write(
        &self,
        work: &Transaction,
        seen: &Projection,
        records: Option<Vec<Record>>,
        position: FeedPosition,
    ) -> Result<()> {
        let mut book = Book::open(seen, self.stretch);
        if let Some(records) = records {
            book.count(work, records).await?;
        }
        book.settle_next(work).await?;
        book.write(work).await?;
        let unsettled = book.unsettled_since();
        Ok(statistics::advance(work, seen.generation, &position, book.counted, unsettled).await?)
    }

    fn committed(&self, amount: usize) {
        metrics::counter!("telar_matches_counted_total").increment(amount as u64);
    }

    fn pause(progress: Progress) -> Duration {
        match progress {
            Progress::Processed(matches) if matches >= MANY => Duration::ZERO,
            Progress::Processed(matches) if matches > 0 => PAUSE_AFTER_COUNTING,
            Progress::Processed(_) | Progress::Idle | Progress::Elsewhere => PAUSE,
        }
    }
}
