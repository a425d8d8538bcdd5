//! Following the feed: what other replicas have written is taken into the matches in memory.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use domain::time::Timestamp;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};

use super::Matches;
use crate::{error::Result, tasks::Shutdown};

/// How long we wait for a notification before we look: a notification is a hint, not a promise.
const POLL: Duration = Duration::from_millis(50);
/// How long we wait after a notification before we look.
const PATIENCE: Duration = Duration::from_millis(1);
/// A feed that could not be read for this long says nothing any more about what is current.
const DEAD_AFTER_MILLIS: u64 = 1_000;
/// How often we look for other replicas.
const LOOK_FOR_OTHERS: Duration = Duration::from_secs(1);
/// How many entries are read at once.
const ENTRIES: u64 = 500;

/// The channel of notifications; each carries the position that the feed has grown to.
const CHANNEL: &str = "telar_feed";
/// Sent there by a replica that begins to listen, so that one that was alone notices at once.
const HELLO: &str = "hello";
/// The application name of the sessions that listen.
const LISTENER: &str = "telar feed";
/// Whether another session listens.
const OTHERS: &str = "
SELECT EXISTS (
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()
)";

/// How far the feed has been followed. It outlives a follower that fails: the next one continues there.
#[derive(Debug)]
pub(super) struct Tail {
    pos: AtomicU64,
    /// When the feed was last read to its end, in milliseconds.
    read_at: AtomicI64,
}

impl Tail {
    /// Follows from this position on.
    pub(super) fn new(pos: u64, now: Timestamp) -> Self {
        Self { pos: AtomicU64::new(pos), read_at: AtomicI64::new(millis(now)) }
    }

    /// Whether what is in memory can be taken for current.
    pub(super) fn is_alive(&self, now: Timestamp) -> bool {
        // A clock that was set back says nothing about how old the last reading is.
        millis(now).abs_diff(self.read_at.load(Ordering::Relaxed)) < DEAD_AFTER_MILLIS
    }

    fn pos(&self) -> u64 {
        self.pos.load(Ordering::Relaxed)
    }

    fn set_pos(&self, pos: u64) {
        self.pos.store(pos, Ordering::Relaxed);
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
        if listener.is_none() {
            listener = follower.listen().await;
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
    /// When we last looked for other replicas.
    looked: Option<Instant>,
}

impl Follower<'_> {
    /// Begins to listen, over a connection that is found by its name.
    async fn listen(&self) -> Option<PgListener> {
        let pool = self.matches.log.database().get_postgres_connection_pool();
        let options = PgConnectOptions::clone(&pool.connect_options()).application_name(LISTENER);
        let own = PgPoolOptions::new().max_connections(1).connect_lazy_with(options);
        let mut listener = PgListener::connect_with(&own).await.ok()?;
        listener.listen(CHANNEL).await.ok()?;
        let hello = sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(HELLO);
        hello.execute(&mut listener).await.ok()?;
        Some(listener)
    }

    /// Lets the writer know whether another replica listens.
    async fn look_for_others(&mut self, listener: &mut Option<PgListener>) {
        let others = match listener {
            Some(listener) => sqlx::query_scalar(OTHERS).bind(LISTENER).fetch_one(listener).await,
            None => Ok(true),
        };
        self.matches.log.progress().set_alone(!others.unwrap_or(true));
        self.looked = Some(Instant::now());
    }

    /// Skips the entries that this process has written itself.
    fn skip_own(&self) -> u64 {
        let pos = self.matches.log.progress().follow(self.tail.pos());
        self.tail.set_pos(pos);
        pos
    }

    /// Takes in everything up to the end of the feed, or at least up to a position that we have heard of.
    async fn catch_up(&mut self, hint: Option<u64>) -> Result<()> {
        loop {
            let pos = self.skip_own();
            if hint.is_some_and(|hint| hint <= pos) {
                return Ok(());
            }
            let entries = self.matches.log.feed(pos, ENTRIES).await?;
            let Some(last) = entries.last().map(|entry| entry.pos) else { return Ok(()) };
            let mut behind = HashMap::new();
            for (id, seq) in entries.iter().flat_map(|entry| &entry.commits) {
                // Our own commits are in memory already. Matches that are not in memory are loaded when somebody reads them;
                // their watchers are told to.
                let live = self.matches.slots.peek(id);
                if let Some(live) = &live {
                    // A reader that is just loading the match checks this afterwards.
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
                    self.matches.take_in(slot, now, &commits)?;
                }
            }
            self.tail.set_pos(last);
            self.matches.feed_grown.send_modify(|count| *count += 1);
            if (entries.len() as u64) < ENTRIES {
                return Ok(());
            }
        }
    }

    /// Waits for a notification with a new position, but not for long.
    ///
    /// Under load notifications arrive faster than the feed is read. An old one tells nothing new and must not be waited
    /// upon: the ones after it would be late, and later all the time.
    async fn next_hint(&mut self, listener: &mut Option<PgListener>) -> Option<u64> {
        let Some(notifications) = listener else {
            tokio::time::sleep(POLL).await;
            return None;
        };
        let until = tokio::time::Instant::now() + POLL;
        loop {
            let received = tokio::time::timeout_at(until, notifications.recv()).await.ok()?;
            let Ok(notification) = received else {
                *listener = None;
                return None;
            };
            if notification.payload() == HELLO {
                self.looked = None;
                return None;
            }
            let pos = self.skip_own();
            if let Some(hint) = notification.payload().parse().ok().filter(|hint| *hint > pos) {
                // What we wrote ourselves is known in a moment, and what comes in quick succession is read together.
                tokio::time::sleep(PATIENCE).await;
                return Some(hint);
            }
        }
    }
}
