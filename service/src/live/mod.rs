//! Matches in memory: one command at a time per match, stored before anybody is answered.
//!
//! If other replicas write to the same log, every match has a home among them, which executes its commands. A task follows the feed
//! and notes which matches in memory are outdated; they are read when somebody needs them. A read may be behind by as much as the
//! feed is, unless it asks the store.

use std::{convert::Infallible, sync::Arc};

use domain::{
    matches::{Commit, Event, Match},
    time::Timestamp,
};
use store::EventLog;
use tokio::sync::watch;
use uuid::Uuid;

use crate::{
    clock::Clock,
    error::Result,
    history::{History, PORTION},
    link::Links,
    tasks::Shutdown,
};

mod calls;
mod catch_up;
mod deadlines;
mod execute;
mod forward;
mod home;
mod presence;
mod recent;
mod slot;
mod tail;
#[cfg(test)]
mod tests;
mod watchers;

pub use calls::BotCalls;
pub use presence::Presence;
pub use watchers::{LatestStep, Update, Watcher, Watchers};

use catch_up::CatchUps;
use slot::{CommitKey, Slot, SlotCache, empty_slot, forget, reweigh};

/// All matches of this replica.
#[derive(Debug, Clone)]
pub struct Matches {
    log: EventLog,
    clock: Clock,
    slots: Arc<SlotCache>,
    history: History,
    watchers: Arc<Watchers>,
    /// Changes whenever the feed may have grown.
    feed_grown: Arc<watch::Sender<u64>>,
    /// How far the feed has been followed; only on a shared store.
    tail: Option<Arc<tail::Tail>>,
    /// Reads what other replicas have written; only used on a shared store.
    catch_ups: Arc<CatchUps>,
    /// Identifies this process among the replicas.
    replica: Uuid,
    /// The other replicas; only on a shared store.
    links: Option<Arc<Links>>,
    /// What other replicas have written and somebody here watches.
    news: Arc<tail::News>,
    /// The matches in which bots have to move.
    bot_calls: Arc<BotCalls>,
}

/// How current a read has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consistency {
    /// What is in memory, even if this replica knows that there is more: enough for a command, which is decided upon the latest
    /// state anyway.
    Memory,
    /// What this replica knows.
    Local,
    /// What is in the store.
    Store,
}

/// A match in memory: looked up once, then read and commanded.
#[derive(Debug, Clone)]
pub struct LiveMatch {
    slot: Arc<Slot>,
    /// The match as it was when it was looked up.
    pub now: Arc<Match>,
}

/// The result of a command.
#[derive(Debug)]
pub struct Executed {
    /// The match right after the command.
    pub after: Arc<Match>,
    /// What happened.
    pub events: Vec<Event>,
    /// The version after the first of these events.
    pub first: u64,
    /// When.
    pub at: Timestamp,
    /// Whether an earlier request with the same key had this result.
    pub replayed: bool,
}

/// How a command is to be executed.
#[derive(Debug)]
pub struct CommandContext {
    /// Identifies the command, so that a retry finds its first result.
    pub command_id: Uuid,
    /// The versions that the command may rest upon; any version without them.
    pub if_match: Option<Vec<u64>>,
    /// When.
    pub at: Timestamp,
}

impl CommandContext {
    /// A command that may rest upon any version.
    #[must_use]
    pub const fn new(command_id: Uuid, at: Timestamp) -> Self {
        Self { command_id, if_match: None, at }
    }
}

impl Matches {
    /// The matches of this log, which take about this many bytes of memory at most.
    pub async fn open(log: EventLog, clock: Clock, bytes: u64) -> Result<Self> {
        let tail = if log.is_shared() {
            tail::begin(&log).await?;
            Some(Arc::new(tail::Tail::new(clock.now())))
        } else {
            None
        };
        Ok(Self {
            history: History::new(log.clone()),
            replica: clock.new_id(),
            links: None,
            news: Arc::default(),
            log,
            clock,
            slots: Arc::new(slot::new_cache(bytes)),
            watchers: Arc::default(),
            feed_grown: Arc::default(),
            tail,
            catch_ups: Arc::default(),
            bot_calls: Arc::default(),
        })
    }

    /// The same matches, whose commands are executed by their homes among these replicas.
    #[must_use]
    pub fn with_links(self, links: Arc<Links>) -> Self {
        let others = Arc::clone(&links);
        self.log.progress().observe(move |entry| {
            if others.has_listeners() {
                others.tell(entry.to_bytes());
            }
        });
        Self { links: Some(links), ..self }
    }

    /// Identifies this process among the replicas.
    #[must_use]
    pub const fn replica(&self) -> Uuid {
        self.replica
    }

    /// The other replicas; nothing if this one is on its own.
    #[must_use]
    pub const fn links(&self) -> Option<&Arc<Links>> {
        self.links.as_ref()
    }

    /// Applies what other replicas write, until told to stop. On a store that is not shared there is nothing to do.
    pub async fn follow_feed(&self, mut shutdown: Shutdown) {
        match &self.tail {
            Some(tail) => tail::follow(self, tail, shutdown).await,
            None => shutdown.requested().await,
        }
    }

    /// Reads what other replicas have written to matches that commands are waiting for, until told to stop. On a store that is
    /// not shared there is nothing to do.
    pub async fn read_for_commands(&self, mut shutdown: Shutdown) {
        if self.log.is_shared() {
            self.catch_ups.run(&self.log, shutdown).await;
        } else {
            shutdown.requested().await;
        }
    }

    /// Acts on deadlines that have passed, until told to stop.
    pub async fn watch_deadlines(&self, shutdown: Shutdown) {
        deadlines::watch(self, shutdown).await;
    }

    /// The log behind the matches.
    #[must_use]
    pub fn log(&self) -> &EventLog {
        &self.log
    }

    /// The past of the matches.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Who watches which match.
    #[must_use]
    pub fn watchers(&self) -> &Arc<Watchers> {
        &self.watchers
    }

    /// The matches in which bots have to move.
    #[must_use]
    pub fn bot_calls(&self) -> &BotCalls {
        &self.bot_calls
    }

    /// Changes whenever the feed may have grown, at any replica: a hint, not a promise.
    #[must_use]
    pub fn feed_grown(&self) -> watch::Receiver<u64> {
        self.feed_grown.subscribe()
    }

    /// The number of matches in memory.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether no match is in memory.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The approximate number of bytes that the matches in memory take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.slots.weight()
    }

    /// A match as it is now; nothing if there is none.
    pub async fn get(&self, id: Uuid, consistency: Consistency) -> Result<Option<Arc<Match>>> {
        Ok(self.find(id, consistency).await?.map(|live| live.now))
    }

    /// A match in memory, to be read and commanded; nothing if there is none.
    pub async fn find(&self, id: Uuid, consistency: Consistency) -> Result<Option<LiveMatch>> {
        let slot = self.slot(id);
        let is_current = |m: &Match| match &self.tail {
            _ if consistency == Consistency::Memory => true,
            _ if slot.is_ahead_of(m) => false,
            None => true,
            Some(tail) => {
                m.status().is_over()
                    || consistency == Consistency::Local && tail.is_alive(self.clock.now())
            }
        };
        let now = match slot.now() {
            Some(now) if is_current(&now) => Some(now),
            Some(now) => Some(self.catch_up(&slot, &now).await?),
            None => self.load(id, &slot).await?,
        };
        let Some(now) = now else {
            // Ids that do not exist must not fill the memory.
            drop(slot);
            forget(&self.slots, id);
            return Ok(None);
        };
        Ok(Some(LiveMatch { slot, now }))
    }

    fn slot(&self, id: Uuid) -> Arc<Slot> {
        match self.slots.get_or_insert_with(&id, || Ok::<_, Infallible>(empty_slot())) {
            Ok(live) => live.slot,
            Err(never) => match never {},
        }
    }

    /// Reads a match from the log, in portions.
    async fn load(&self, id: Uuid, slot: &Arc<Slot>) -> Result<Option<Arc<Match>>> {
        let mut folded = None;
        let mut keys = Vec::new();
        let mut latest = Vec::new();
        // A match that is over on the standby is complete. Any other may have gone on at the primary.
        for source in self.log.stable_reader().iter().chain([&self.log]) {
            if folded.as_ref().is_some_and(|m: &Match| m.status().is_over()) {
                break;
            }
            loop {
                let from = folded.as_ref().map_or(0, Match::version);
                let commits = self.history.read_from(source, id, from..from + PORTION).await?;
                for commit in &commits {
                    self.history.fold(&mut folded, commit)?;
                    keys.push(CommitKey::of(commit));
                }
                if !commits.is_empty() {
                    latest = commits;
                }
                if folded.as_ref().map_or(0, Match::version) < from + PORTION {
                    break;
                }
            }
        }
        let Some(loaded) = folded.map(Arc::new) else { return Ok(None) };
        slot.publish(&loaded, keys, &latest);
        reweigh(&self.slots, id, slot);
        self.watchers.publish(&loaded, &latest);
        // Somebody may have written while this was read, and every commit is announced only once.
        if slot.is_ahead_of(&loaded) {
            return self.catch_up(slot, &loaded).await.map(Some);
        }
        Ok(Some(loaded))
    }

    /// Reads and applies what others have written since.
    async fn catch_up(&self, slot: &Slot, known: &Arc<Match>) -> Result<Arc<Match>> {
        let commits = self.catch_ups.read(&self.log, known.id(), known.version()).await?;
        self.apply(slot, known, &commits)
    }

    /// Applies commits that others have written.
    fn apply(&self, slot: &Slot, known: &Arc<Match>, commits: &[Commit]) -> Result<Arc<Match>> {
        if commits.is_empty() {
            return Ok(Arc::clone(known));
        }
        let mut next = Match::clone(known);
        for commit in commits {
            self.history.pass(&next, commit.version());
            next.apply(commit)?;
        }
        let next = Arc::new(next);
        slot.publish(&next, commits.iter().map(CommitKey::of), commits);
        self.watchers.publish(&next, commits);
        Ok(next)
    }
}
