//! Following the feed: what other replicas have written is taken into the matches in memory.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use sea_orm::DbErr;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};

use super::Matches;
use crate::{clock, error::ApiError};

/// How long nothing is heard before we look by ourselves: a notification is a hint, not a promise.
const POLL: Duration = Duration::from_millis(50);
/// How long we wait after a hint before we look.
const PATIENCE: Duration = Duration::from_millis(1);
/// A feed that could not be read for this long says nothing any more about what is current.
const DEAD_AFTER_MILLIS: i64 = 1_000;
/// How often we look whether other replicas are there.
const LOOK_AROUND: Duration = Duration::from_secs(1);
/// How many batches are read at once.
const BATCHES: u64 = 500;

/// Where hints are given, each with the position that the feed has grown to.
const CHANNEL: &str = "telar_feed";
/// What somebody who begins to listen says there instead, so that those who were alone notice at once.
const HELLO: &str = "hello";
/// What the sessions are called that listen for hints.
const LISTENER: &str = "telar feed";
/// Whether there is one besides the one that asks.
const OTHERS: &str = "
SELECT EXISTS (
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()
)";

/// How far the feed has been followed.
#[derive(Debug)]
pub(super) struct Tail {
    /// When the feed was last read to its end, in milliseconds.
    read_at: AtomicI64,
}

fn millis() -> i64 {
    clock::now().micros() / 1_000
}

impl Tail {
    /// Follows the feed from where it ends now.
    pub(super) async fn start(matches: &Matches) -> Result<Arc<Self>, DbErr> {
        let pos = matches.store.feed_head().await?;
        let tail = Arc::new(Self { read_at: AtomicI64::new(millis()) });
        // Ends with the server: the task does not keep the tail alive.
        let following = Following {
            tail: Arc::downgrade(&tail),
            matches: matches.clone(),
            pos,
            looked_around: None,
        };
        tokio::spawn(following.run());
        Ok(tail)
    }

    /// Whether what is in memory can be taken for current.
    pub(super) fn is_alive(&self) -> bool {
        millis() - self.read_at.load(Ordering::Relaxed) < DEAD_AFTER_MILLIS
    }
}

struct Following {
    tail: std::sync::Weak<Tail>,
    matches: Matches,
    pos: u64,
    /// When we last looked whether other replicas are there.
    looked_around: Option<Instant>,
}

impl Following {
    async fn run(mut self) {
        let mut listener = None;
        let mut heard = None;
        while let Some(tail) = self.tail.upgrade() {
            match self.follow(heard).await {
                Ok(()) => tail.read_at.store(millis(), Ordering::Relaxed),
                Err(error) => tracing::warn!(%error, "the feed cannot be read"),
            }
            drop(tail);
            if listener.is_none() {
                listener = self.listen().await;
            }
            if self.looked_around.is_none_or(|at| at.elapsed() >= LOOK_AROUND) {
                self.look_around(&mut listener).await;
            }
            heard = self.hear(&mut listener).await;
        }
    }

    /// Begins to listen, over a connection that is found by its name.
    async fn listen(&self) -> Option<PgListener> {
        let pool = self.matches.store.database().get_postgres_connection_pool();
        let options = PgConnectOptions::clone(&pool.connect_options()).application_name(LISTENER);
        let own = PgPoolOptions::new().max_connections(1).connect_lazy_with(options);
        let mut listener = PgListener::connect_with(&own).await.ok()?;
        listener.listen(CHANNEL).await.ok()?;
        let hello = sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(HELLO);
        hello.execute(&mut listener).await.ok()?;
        Some(listener)
    }

    /// Lets the writer know whether somebody else listens.
    async fn look_around(&mut self, listener: &mut Option<PgListener>) {
        let others = match listener {
            Some(listener) => sqlx::query_scalar(OTHERS).bind(LISTENER).fetch_one(listener).await,
            None => Ok(true),
        };
        self.matches.store.company().set_alone(!others.unwrap_or(true));
        self.looked_around = Some(Instant::now());
    }

    /// Takes in everything up to the end of the feed, or at least up to a position that we have heard of.
    async fn follow(&mut self, heard: Option<u64>) -> Result<(), ApiError> {
        loop {
            self.pos = self.matches.store.company().follow(self.pos);
            if heard.is_some_and(|heard| heard <= self.pos) {
                return Ok(());
            }
            let entries = self.matches.store.feed(self.pos, BATCHES).await?;
            let Some(last) = entries.last().map(|entry| entry.pos) else { return Ok(()) };
            let mut behind = HashMap::new();
            for (id, seq) in entries.iter().flat_map(|entry| &entry.commits) {
                // Our own commits are in memory already. Matches that are not are loaded when somebody looks at them; those
                // who watch one are told to.
                let live = self.matches.slots.peek(id);
                if let Some(live) = &live {
                    // Who is just reading the match looks at this afterwards.
                    live.slot.heard.fetch_max(*seq + 1, Ordering::AcqRel);
                }
                match live.as_ref().and_then(|live| Some((live, live.slot.now()?))) {
                    Some((live, table)) if table.version() <= *seq => {
                        behind.insert(*id, (Arc::clone(&live.slot), table));
                    }
                    Some(_) => {}
                    None => self.matches.watchers.hint(*id, *seq + 1),
                }
            }
            let places: Vec<_> =
                behind.iter().map(|(id, (_, table))| (*id, table.version())).collect();
            for (id, commits) in self.matches.store.load_many(&places).await? {
                if let Some((slot, table)) = behind.get(&id) {
                    self.matches.take_in(slot, table, &commits)?;
                }
            }
            self.pos = last;
            self.matches.grown.send_modify(|count| *count += 1);
            if (entries.len() as u64) < BATCHES {
                return Ok(());
            }
        }
    }

    /// Waits for a hint that tells something new, but not for long; the position that it tells, if there is one.
    ///
    /// Where much is written hints come faster than the feed is read. What an old one tells is known already, and must not be
    /// waited upon: those that come after it would be late, and later all the time.
    async fn hear(&mut self, listener: &mut Option<PgListener>) -> Option<u64> {
        let Some(hints) = listener else {
            tokio::time::sleep(POLL).await;
            return None;
        };
        let until = tokio::time::Instant::now() + POLL;
        loop {
            let Ok(heard) = tokio::time::timeout_at(until, hints.recv()).await else { return None };
            let Ok(hint) = heard else {
                *listener = None;
                return None;
            };
            if hint.payload() == HELLO {
                self.looked_around = None;
                return None;
            }
            self.pos = self.matches.store.company().follow(self.pos);
            if let Some(pos) = hint.payload().parse().ok().filter(|pos| *pos > self.pos) {
                // What we wrote ourselves is known in a moment, and what comes in quick succession is read at once.
                tokio::time::sleep(PATIENCE).await;
                return Some(pos);
            }
        }
    }
}
