//! Following the feed: commits that other replicas have written are applied to the matches in memory.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use domain::time::Timestamp;
use parking_lot::Mutex;
use store::event_log::{FeedListener, FeedPosition, FeedSignal};

use super::Matches;
use crate::{error::Result, tasks::Shutdown};

/// How long to wait for a notification before polling: a notification is a hint, not a promise.
const POLL: Duration = Duration::from_millis(50);
/// The pause after a notification, so that entries in quick succession are read together.
const SETTLE: Duration = Duration::from_millis(1);
/// If the feed could not be read for this long, the matches in memory no longer count as current.
const DEAD_AFTER_MILLIS: u64 = 1_000;
/// How often to look for other replicas.
const LOOK_FOR_OTHERS: Duration = Duration::from_secs(1);
/// How many entries are read at once.
const ENTRIES: u64 = 500;

/// How far the feed has been followed. It outlives a failed follower: the next one continues there.
#[derive(Debug)]
pub(super) struct Tail {
    pos: Mutex<FeedPosition>,
    /// When the feed was last read to its end, in milliseconds.
    read_at: AtomicI64,
}

impl Tail {
    /// Follows from this position on.
    pub(super) fn new(pos: FeedPosition, now: Timestamp) -> Self {
        Self { pos: Mutex::new(pos), read_at: AtomicI64::new(millis(now)) }
    }

    /// Whether the matches in memory count as current.
    pub(super) fn is_alive(&self, now: Timestamp) -> bool {
        // A clock that was set back says nothing about how old the last reading is.
        millis(now).abs_diff(self.read_at.load(Ordering::Relaxed)) < DEAD_AFTER_MILLIS
    }

    fn pos(&self) -> FeedPosition {
        *self.pos.lock()
    }

    fn set_pos(&self, pos: FeedPosition) {
        *self.pos.lock() = pos;
    }
}

fn millis(at: Timestamp) -> i64 {
    at.micros() / 1_000
}

/// Follows the feed until told to stop.
pub(super) async fn follow(matches: &Matches, tail: &Arc<Tail>, mut shutdown: Shutdown) {
    let mut follower = Follower { matches, tail, looked: None };
    let mut listener = None;
    let mut hint = None;
    while !shutdown.is_requested() {
        match follower.catch_up(hint).await {
            Ok(()) => tail.read_at.store(millis(matches.clock.now()), Ordering::Relaxed),
            Err(error) => tracing::warn!(%error, "cannot read the feed"),
        }
        // A standby sends no notifications.
        if listener.is_none() && !matches.log.database().is_read_only() {
            listener = match matches.log.listen().await {
                Ok(listener) => Some(listener),
                Err(error) => {
                    tracing::warn!(%error, "cannot listen for notifications; polling the feed");
                    None
                }
            };
        }
        if follower.looked.is_none_or(|at| at.elapsed() >= LOOK_FOR_OTHERS) {
            follower.look_for_others(&mut listener).await;
        }
        hint = tokio::select! {
            () = shutdown.requested() => return,
            hint = follower.next_hint(&mut listener) => hint,
        };
    }
}

struct Follower<'a> {
    matches: &'a Matches,
    tail: &'a Tail,
    /// When it was last checked whether there are other replicas.
    looked: Option<Instant>,
}

impl Follower<'_> {
    /// Lets the writer know whether another replica listens. If that cannot be found out, there may be one.
    async fn look_for_others(&mut self, listener: &mut Option<FeedListener>) {
        let others = match listener {
            Some(session) => session.has_others().await,
            None => Ok(true),
        };
        let has_others = others.unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot look for other replicas");
            *listener = None;
            true
        });
        self.matches.log.progress().set_alone(!has_others);
        self.looked = Some(Instant::now());
    }

    /// Skips the entries that this process has written itself.
    fn skip_own(&self) -> FeedPosition {
        let pos = self.matches.log.progress().follow(self.tail.pos());
        self.tail.set_pos(pos);
        pos
    }

    /// Applies everything up to the end of the feed, or at least up to the position in a notification.
    async fn catch_up(&mut self, hint: Option<FeedPosition>) -> Result<()> {
        loop {
            let pos = self.skip_own();
            if hint.is_some_and(|hint| hint <= pos) {
                return Ok(());
            }
            let entries = self.matches.log.feed(pos, ENTRIES).await?;
            let Some(last) = entries.last().map(|entry| entry.pos) else { return Ok(()) };
            let mut behind = HashMap::new();
            for (id, seq) in entries.iter().flat_map(|entry| &entry.commits) {
                // Commits of this replica are in memory already. Matches that are not in memory are loaded when somebody
                // reads them; their watchers are notified.
                let live = self.matches.slots.peek(id);
                if let Some(live) = &live {
                    // A reader that is loading the match right now checks this afterwards.
                    live.slot.announced.fetch_max(*seq + 1, Ordering::AcqRel);
                }
                match live.as_ref().and_then(|live| Some((live, live.slot.now()?))) {
                    Some((live, now)) if now.version() <= *seq => {
                        behind.insert(*id, (Arc::clone(&live.slot), now));
                    }
                    Some(_) => {}
                    None => self.matches.watchers.announce(*id, *seq + 1),
                }
            }
            let from: Vec<_> = behind.iter().map(|(id, (_, now))| (*id, now.version())).collect();
            for (id, commits) in self.matches.log.load_many(&from).await? {
                if let Some((slot, now)) = behind.get(&id) {
                    self.matches.apply(slot, now, &commits)?;
                }
            }
            self.tail.set_pos(last);
            self.matches.feed_grown.send_modify(|count| *count += 1);
            if (entries.len() as u64) < ENTRIES {
                return Ok(());
            }
        }
    }

    /// Waits for a notification with a new position, but no longer than the polling interval.
    ///
    /// Under load, notifications arrive faster than the feed is read. Outdated ones are skipped without a pause; otherwise
    /// the delay would grow with every notification.
    async fn next_hint(&mut self, listener: &mut Option<FeedListener>) -> Option<FeedPosition> {
        let Some(session) = listener else {
            tokio::time::sleep(POLL).await;
            return None;
        };
        let until = tokio::time::Instant::now() + POLL;
        loop {
            // `ok`: no notification came in time.
            match tokio::time::timeout_at(until, session.next()).await.ok()? {
                Ok(FeedSignal::Grown(hint)) if hint > self.skip_own() => {
                    tokio::time::sleep(SETTLE).await;
                    return Some(hint);
                }
                Ok(FeedSignal::Grown(_)) => {}
                Ok(FeedSignal::NewListener) => {
                    self.looked = None;
                    return None;
                }
                Err(error) => {
                    tracing::warn!(%error, "the connection for notifications is lost");
                    *listener = None;
                    return None;
                }
            }
        }
    }
}
