//! Matches in memory: one command at a time per match, persisted before anybody is answered.
//!
//! Where other replicas write to the same log, a task follows the feed and brings the matches in memory up to date; a read
//! may be behind by as much as the feed is, unless it asks for the latest.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, atomic::Ordering},
};

use domain::{
    games,
    matches::{Command, Commit, Create, Decision, Event, Match, Refused},
    time::Timestamp,
};
use futures_util::future;
use metrics::Counter;
use quick_cache::sync::Cache;
use tokio::sync::watch as signal;
use uuid::Uuid;

use crate::{
    error::ApiError,
    event_store::{Appended, EventStore},
};

mod deadlines;
pub mod presence;
mod slot;
mod tail;
pub mod watch;

use slot::{Place, STEP, Slot, SlotWeight, Slots, Weighed, weigh};

/// How often a command is decided again after another replica was faster.
const TRIES: usize = 4;

/// What was written, by game: found once, not once a command.
static WRITTEN: LazyLock<HashMap<&str, Counter>> = LazyLock::new(|| {
    let keys = games::all().map(|game| game.info().key);
    keys.map(|key| (key, metrics::counter!("telar_commits_total", "game" => key))).collect()
});

/// All matches of this replica.
#[derive(Debug, Clone)]
pub struct Matches {
    store: EventStore,
    slots: Arc<Slots>,
    histories: Arc<Cache<Uuid, History, Weight>>,
    watchers: Arc<watch::Watchers>,
    /// Changes whenever the feed may have grown.
    grown: Arc<signal::Sender<u64>>,
    /// How far the feed has been followed; only where others write too.
    tail: Option<Arc<tail::Tail>>,
    /// Deadlines are watched as long as this is held.
    _watch: Option<Arc<deadlines::Watch>>,
}

/// The log of a match up to some version. Commits never change, so what is known of it stays true.
type History = Arc<Vec<Commit>>;

/// How many bytes of logs are remembered for those who step through a match.
const HISTORY_BYTES: u64 = 64 * 1024 * 1024;

/// Weighs a log by its payloads.
#[derive(Debug, Clone)]
struct Weight;

impl quick_cache::Weighter<Uuid, History> for Weight {
    fn weight(&self, _: &Uuid, history: &History) -> u64 {
        history.iter().map(|commit| 160 + commit.payload.len() as u64).sum()
    }
}

/// How current a read has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// What this replica knows.
    Known,
    /// What stands in the store.
    Latest,
}

/// What a command led to.
#[derive(Debug)]
pub struct Done {
    /// The match right after the command.
    pub table: Arc<Match>,
    /// What happened.
    pub events: Vec<Event>,
    /// The version of the first of these events.
    pub first: u64,
    /// When.
    pub at: Timestamp,
    /// Whether this is the answer to an earlier request with the same key.
    pub replayed: bool,
}

/// How a command is to be carried out.
#[derive(Debug)]
pub struct Order {
    /// What the client called it.
    pub command_id: Uuid,
    /// The versions it may rest upon; none if any will do.
    pub if_match: Option<Vec<u64>>,
    /// When.
    pub at: Timestamp,
}

impl Matches {
    /// Matches in this log, which take about as many `bytes` of memory at most.
    pub async fn start(store: EventStore, bytes: u64) -> Result<Self, sea_orm::DbErr> {
        let matches = Self {
            store,
            slots: Arc::new(Cache::with_weighter(
                usize::try_from(bytes / u64::from(4 * STEP)).unwrap_or(usize::MAX),
                bytes,
                SlotWeight,
            )),
            histories: Arc::new(Cache::with_weighter(4_096, HISTORY_BYTES, Weight)),
            watchers: Arc::default(),
            grown: Arc::default(),
            tail: None,
            _watch: None,
        };
        let shared = matches.store.is_shared();
        let tail = if shared { Some(tail::Tail::start(&matches).await?) } else { None };
        let watch = Some(deadlines::Watch::start(&matches));
        Ok(Self { tail, _watch: watch, ..matches })
    }

    /// The log behind the matches.
    #[must_use]
    pub fn store(&self) -> &EventStore {
        &self.store
    }

    /// Who watches which match.
    #[must_use]
    pub fn watchers(&self) -> &Arc<watch::Watchers> {
        &self.watchers
    }

    /// Changes whenever the feed may have grown, by whomever: a hint, not a promise.
    #[must_use]
    pub fn feed_grown(&self) -> signal::Receiver<u64> {
        self.grown.subscribe()
    }

    /// How many matches are in memory.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether no match is in memory.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// About how many bytes the matches in memory take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.slots.weight()
    }

    /// A match as it is now; nothing if there is none.
    pub async fn get(
        &self,
        id: Uuid,
        freshness: Freshness,
    ) -> Result<Option<Arc<Match>>, ApiError> {
        let slot = self.slot(id);
        let is_current = |table: &Match| match &self.tail {
            None => true,
            Some(tail) => {
                table.status().is_over() || freshness == Freshness::Known && tail.is_alive()
            }
        };
        match slot.now() {
            Some(table) if is_current(&table) => Ok(Some(table)),
            Some(table) => self.catch_up(&slot, &table).await.map(Some),
            None => self.load(id, &slot).await,
        }
    }

    /// The log of a match, oldest first, at least up to a version that it has.
    pub async fn history(&self, id: Uuid, version: u64) -> Result<History, ApiError> {
        let known = self.histories.get(&id).unwrap_or_default();
        let seen = known.last().map_or(0, Commit::version);
        if seen >= version {
            return Ok(known);
        }
        let tail = self.store.load(id, seen).await?;
        let history: History = Arc::new(known.iter().cloned().chain(tail).collect());
        self.histories.insert(id, Arc::clone(&history));
        Ok(history)
    }

    /// Creates a match. A second creation under the same id finds the first.
    pub async fn create(&self, create: Create<'_>, order: &Order) -> Result<Done, ApiError> {
        let (id, game) = (create.id, create.game.info().key);
        let decision = Match::create(create, order.at).map_err(|refused| match refused {
            Refused::Malformed(shape) => ApiError::bad_shape("options", shape),
            refused => ApiError::refused(refused, game),
        })?;
        let slot = self.slot(id);
        let _turn = slot.turn.lock().await;
        let (table, events, commit) = decision.into_commit(order.command_id);
        let (place, table) = (Place::of(&commit), Arc::new(table));
        let publish = self.publishing(&slot, &table, &commit);
        match self.store.append(commit, None, &table, publish).await? {
            Appended::Written => Ok(done(table, events, place, false)),
            Appended::Lost => self.first_answer(id, 0).await,
        }
    }

    /// Carries out a command; nothing if there is no such match.
    pub async fn execute(
        &self,
        id: Uuid,
        command: &Command,
        order: &Order,
    ) -> Result<Option<Done>, ApiError> {
        let done = self.execute_and(id, command, order, |_| ()).await?;
        Ok(done.map(|(done, ())| done))
    }

    /// Carries out a command, and makes something of what it leads to while that is being written; nothing if there is no such
    /// match. What was made comes back only if the command stands in the log.
    pub async fn execute_and<T>(
        &self,
        id: Uuid,
        command: &Command,
        order: &Order,
        meanwhile: impl Fn(&Done) -> T,
    ) -> Result<Option<(Done, T)>, ApiError> {
        let slot = self.slot(id);
        let _turn = slot.turn.lock().await;
        let cached = slot.now();
        // What is in memory may be old where others write too; then a refusal is not final.
        let mut certain = cached.is_none() || !self.store.is_shared();
        let mut table = match cached {
            Some(table) => table,
            None => match self.load(id, &slot).await? {
                Some(table) => table,
                None => return Ok(None),
            },
        };
        for _ in 0..TRIES {
            if let Some(seq) = slot.place_of(order.command_id) {
                let done = self.retried(id, seq, command).await?;
                let made = meanwhile(&done);
                return Ok(Some((done, made)));
            }
            let decision = match decide(&table, command, order) {
                Ok(decision) => decision,
                Err(error) if certain => return Err(error),
                Err(_) => {
                    table = self.catch_up(&slot, &table).await?;
                    certain = true;
                    continue;
                }
            };
            let (next, events, commit) = decision.into_commit(order.command_id);
            let (place, next) = (Place::of(&commit), Arc::new(next));
            let publish = self.publishing(&slot, &next, &commit);
            let done = done(next, events, place, false);
            // The commit is on its way to the store first.
            let append = self.store.append(commit, Some(&table), &done.table, publish);
            let (appended, made) = future::join(append, async { meanwhile(&done) }).await;
            match appended? {
                Appended::Written => {
                    if let Some(counter) = WRITTEN.get(done.table.game().info().key) {
                        counter.increment(1);
                    }
                    return Ok(Some((done, made)));
                }
                Appended::Lost => {
                    metrics::counter!("telar_lost_races_total").increment(1);
                    table = self.catch_up(&slot, &table).await?;
                    certain = true;
                }
            }
        }
        Err(ApiError::unavailable())
    }

    /// What a command would lead to, without carrying it out; nothing if there is no such match.
    pub async fn preview(
        &self,
        id: Uuid,
        command: &Command,
        order: &Order,
    ) -> Result<Option<Decision>, ApiError> {
        match self.get(id, Freshness::Latest).await? {
            Some(table) => decide(&table, command, order).map(Some),
            None => Ok(None),
        }
    }

    fn slot(&self, id: Uuid) -> Arc<Slot> {
        let empty =
            || Ok::<_, std::convert::Infallible>(Weighed { slot: Arc::default(), weight: STEP });
        match self.slots.get_or_insert_with(&id, empty) {
            Ok(live) => live.slot,
            Err(never) => match never {},
        }
    }

    /// Reads a match from the log.
    async fn load(&self, id: Uuid, slot: &Arc<Slot>) -> Result<Option<Arc<Match>>, ApiError> {
        let commits = self.store.load(id, 0).await?;
        let Some(table) = Match::fold(&commits)? else {
            // Ids that nobody has used must not fill the memory.
            self.slots.remove(&id);
            return Ok(None);
        };
        let table = Arc::new(table);
        slot.publish(&table, commits.iter().map(Place::of));
        weigh(&self.slots, id, slot);
        self.watchers.tell(&table, &commits);
        // Others may have written while we read; the feed does not tell it twice.
        if slot.heard.load(Ordering::Acquire) > table.version() {
            return self.catch_up(slot, &table).await.map(Some);
        }
        Ok(Some(table))
    }

    /// Shows a match to readers, and to those who watch it, as soon as its commit stands in the log, whether or not anybody still
    /// waits for the answer.
    fn publishing(
        &self,
        slot: &Arc<Slot>,
        table: &Arc<Match>,
        commit: &Commit,
    ) -> impl FnOnce() + Send + 'static {
        let (slots, slot, table) = (Arc::clone(&self.slots), Arc::clone(slot), Arc::clone(table));
        let (watchers, grown) = (Arc::clone(&self.watchers), Arc::clone(&self.grown));
        let place = Place::of(commit);
        let watched = self.watchers.is_watched(table.id()).then(|| commit.clone());
        move || {
            slot.publish(&table, [place]);
            weigh(&slots, table.id(), &slot);
            match watched {
                Some(commit) => watchers.tell(&table, &[commit]),
                // Who has begun to watch in the meantime reads it in the log.
                None => watchers.hint(table.id(), table.version()),
            }
            grown.send_modify(|count| *count += 1);
        }
    }

    /// Looks for what others have written since.
    async fn catch_up(&self, slot: &Slot, table: &Arc<Match>) -> Result<Arc<Match>, ApiError> {
        let commits = self.store.load(table.id(), table.version()).await?;
        self.take_in(slot, table, &commits)
    }

    /// Takes in commits that others have written.
    fn take_in(
        &self,
        slot: &Slot,
        table: &Arc<Match>,
        commits: &[Commit],
    ) -> Result<Arc<Match>, ApiError> {
        if commits.is_empty() {
            return Ok(Arc::clone(table));
        }
        let mut next = Match::clone(table);
        for commit in commits {
            next.apply(commit)?;
        }
        let next = Arc::new(next);
        slot.publish(&next, commits.iter().map(Place::of));
        self.watchers.tell(&next, commits);
        Ok(next)
    }

    /// The answer to a command that was carried out before, if it asks for the same again.
    async fn retried(&self, id: Uuid, seq: u64, command: &Command) -> Result<Done, ApiError> {
        let commits = self.history(id, seq + 1).await?;
        let before = commits.iter().take_while(|commit| commit.seq < seq);
        let asked = match (Match::fold(before)?, commits.iter().find(|commit| commit.seq == seq)) {
            (Some(table), Some(commit)) => {
                let again = table.decide(command, commit.at).map_err(|_| ApiError::key_reused())?;
                let first = commit.read(Some(table.game()))?;
                again.command() == first.command.get() && commit.player == command.player()
            }
            _ => false,
        };
        if asked { self.first_answer(id, seq).await } else { Err(ApiError::key_reused()) }
    }

    /// What the commit at `seq` was answered with.
    async fn first_answer(&self, id: Uuid, seq: u64) -> Result<Done, ApiError> {
        let commits = self.history(id, seq + 1).await?;
        let until: Vec<&Commit> = commits.iter().take_while(|commit| commit.seq <= seq).collect();
        let table = Match::fold(until.iter().copied())?.ok_or_else(ApiError::internal)?;
        let commit = until.last().ok_or_else(ApiError::internal)?;
        let events = commit.read(Some(table.game()))?.events;
        Ok(done(Arc::new(table), events, Place::of(commit), true))
    }
}

fn decide(table: &Match, command: &Command, order: &Order) -> Result<Decision, ApiError> {
    let decided = match &order.if_match {
        Some(versions) => table.decide_upon(versions, command, order.at),
        None => table.decide(command, order.at),
    };
    decided.map_err(|refused| {
        if let Refused::Stale { current } = refused {
            return ApiError::stale(current);
        }
        let error = ApiError::refused(refused, table.game().info().key).version(table.version());
        match command {
            Command::Play { .. } => error.legal_moves(table.id()),
            Command::Sit { .. }
            | Command::Leave { .. }
            | Command::Resign { .. }
            | Command::Pause { .. }
            | Command::Resume { .. }
            | Command::TimeOut => error,
        }
    })
}

fn done(table: Arc<Match>, events: Vec<Event>, place: Place, replayed: bool) -> Done {
    Done { table, events, first: place.seq + 1, at: place.at, replayed }
}
