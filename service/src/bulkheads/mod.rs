//! Work that costs much, apart from ordinary requests.
//!
//! A bulkhead has a few turns at a time. An address may have some of them and never all, and addresses that wait take turns, so
//! one client cannot keep the others out. Work that has a turn runs on threads that give way to those that serve requests.
//! Requests that are cheap never come here.

mod queue;
mod threads;

use std::{net::IpAddr, num::NonZero, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::{sync::oneshot, time::Instant};

use queue::Queue;
pub use threads::Stopped;
use threads::Threads;

/// The limits of a bulkhead.
#[derive(Debug, Clone, Copy)]
pub struct BulkheadLimits {
    /// How many turns there are at a time.
    pub at_once: usize,
    /// How many of them one address may have.
    pub each: usize,
    /// How many may wait for a turn.
    pub queue: usize,
    /// How many of them from one address.
    pub queue_each: usize,
    /// How long to wait for a turn.
    pub patience: Duration,
}

/// Why there is no turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Busy {
    /// The address asks for too much at a time.
    #[error("too many requests of this kind wait for this address")]
    Client,
    /// Everybody together asks for too much.
    #[error("too many requests of this kind wait")]
    Server,
}

/// The bulkheads of the server.
#[derive(Debug)]
pub struct Bulkheads {
    /// Records of a match that are computed from its log: frames, replays, luck, proofs, pictures.
    pub records: Arc<Bulkhead>,
    /// Statistics that are not in the cache.
    pub statistics: Arc<Bulkhead>,
    /// Exports of many matches, one chunk a turn.
    pub exports: Arc<Bulkhead>,
    /// Hashing of passwords.
    pub passwords: Arc<Bulkhead>,
    /// Look-ups of host names.
    pub lookups: Arc<Bulkhead>,
    /// Thinking: moves of bots and hints.
    pub bots: Arc<Bulkhead>,
}

impl Bulkheads {
    /// Bulkheads for a machine with this many cores, in which bots think on this many threads.
    #[must_use]
    pub fn new(cores: usize, bot_threads: usize) -> Self {
        let patience = Duration::from_secs(10);
        let computing = {
            let at_once = cores.max(2);
            BulkheadLimits { at_once, each: at_once / 2, queue: 512, queue_each: 64, patience }
        };
        // One address never computes on all cores.
        let exports = BulkheadLimits {
            at_once: (cores / 2).max(1),
            each: (cores / 4).max(1),
            // As many as there may be exports: one that has begun does not fail for being slow.
            queue: usize::MAX,
            queue_each: usize::MAX,
            patience: Duration::from_mins(5),
        };
        let statistics = BulkheadLimits { at_once: 4, each: 2, ..computing };
        let passwords = BulkheadLimits { queue: 256, queue_each: 16, ..computing };
        // A look-up takes no processor but may take long, and nothing can end it.
        let lookups = BulkheadLimits { at_once: 16, each: 2, queue: 128, queue_each: 8, patience };
        // Hints are given even where bots do not move.
        let thinking = bot_threads.max(1);
        let bots = BulkheadLimits {
            at_once: thinking,
            each: thinking,
            queue: 64,
            queue_each: 8,
            patience,
        };
        let threads =
            [computing, exports, statistics, passwords, lookups, bots].map(|limits| limits.at_once);
        let threads = Arc::new(Threads::new(threads.iter().sum()));
        let bulkhead = |name, limits| Bulkhead::new(name, limits, Arc::clone(&threads));
        Self {
            records: bulkhead("records", computing),
            statistics: bulkhead("statistics", statistics),
            exports: bulkhead("exports", exports),
            passwords: bulkhead("passwords", passwords),
            lookups: bulkhead("lookups", lookups),
            bots: bulkhead("bots", bots),
        }
    }

    /// Bulkheads for this machine, in which bots think on this many threads.
    #[must_use]
    pub fn here(bot_threads: usize) -> Self {
        Self::new(std::thread::available_parallelism().map_or(1, NonZero::get), bot_threads)
    }
}

/// One kind of work.
#[derive(Debug)]
pub struct Bulkhead {
    name: &'static str,
    patience: Duration,
    queue: Mutex<Queue<oneshot::Sender<Turn>>>,
    threads: Arc<Threads>,
}

impl Bulkhead {
    fn new(name: &'static str, limits: BulkheadLimits, threads: Arc<Threads>) -> Arc<Self> {
        let queue = Mutex::new(Queue::new(limits));
        Arc::new(Self { name, patience: limits.patience, queue, threads })
    }

    /// Waits for a turn, which lasts until it is dropped.
    pub async fn enter(self: &Arc<Self>, who: IpAddr) -> Result<Turn, Busy> {
        let started = Instant::now();
        let turn = match self.ask(who) {
            Ok(Asked::Turn(turn)) => Ok(turn),
            Ok(Asked::Wait(turn)) => match tokio::time::timeout(self.patience, turn).await {
                Ok(Ok(turn)) => Ok(turn),
                Ok(Err(_)) | Err(_) => Err(Busy::Server),
            },
            Err(busy) => Err(busy),
        };
        match &turn {
            Ok(_) => metrics::histogram!("telar_bulkhead_wait_seconds", "bulkhead" => self.name)
                .record(started.elapsed().as_secs_f64()),
            Err(_) => {
                metrics::counter!("telar_bulkhead_refused_total", "bulkhead" => self.name)
                    .increment(1);
            }
        }
        turn
    }

    fn ask(self: &Arc<Self>, who: IpAddr) -> Result<Asked, Busy> {
        let mut queue = self.queue.lock();
        if queue.begin(who) {
            return Ok(Asked::Turn(self.turn(who)));
        }
        let (waiter, turn) = oneshot::channel();
        queue.wait(who, waiter, oneshot::Sender::is_closed)?;
        self.count(&queue);
        Ok(Asked::Wait(turn))
    }

    fn turn(self: &Arc<Self>, who: IpAddr) -> Turn {
        Turn(Arc::new(Place { bulkhead: Arc::clone(self), who }))
    }

    /// Gives a turn back, and to those who wait.
    fn end(self: &Arc<Self>, who: IpAddr) {
        let mut unwanted = Vec::new();
        let mut queue = self.queue.lock();
        queue.end(who);
        while let Some((who, waiter)) = queue.next(oneshot::Sender::is_closed) {
            // Somebody who gives up right now sends the turn back.
            unwanted.extend(waiter.send(self.turn(who)).err());
        }
        self.count(&queue);
        drop(queue);
        drop(unwanted);
    }

    fn count(&self, queue: &Queue<oneshot::Sender<Turn>>) {
        let waiting = u32::try_from(queue.waiting()).unwrap_or(u32::MAX);
        metrics::gauge!("telar_bulkhead_waiting", "bulkhead" => self.name).set(f64::from(waiting));
    }
}

enum Asked {
    Turn(Turn),
    Wait(oneshot::Receiver<Turn>),
}

/// A turn in a bulkhead.
#[derive(Debug, Clone)]
pub struct Turn(Arc<Place>);

#[derive(Debug)]
struct Place {
    bulkhead: Arc<Bulkhead>,
    who: IpAddr,
}

impl Turn {
    /// Works on a thread that gives way to those that serve requests. The turn lasts at least as long as the work, even if
    /// nobody waits for its result any more.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Stopped> {
        let turn = self.clone();
        let work = move || {
            let result = work();
            drop(turn);
            result
        };
        self.0.bulkhead.threads.run(work).await
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.bulkhead.end(self.who);
    }
}

#[cfg(test)]
mod tests;
