//! Following the feed: matches in memory are marked where other replicas have written, and brought up to date if somebody watches.
//!
//! Replicas that are linked tell each other what they write, and read the feed only now and then.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use domain::{matches::Match, time::Timestamp};
use store::{
    Connection as _, EventLog, Lane,
    event_log::{
        EntryId, FeedEntry, FeedListener, FeedPage, FeedPosition, FeedSignal, WrittenEntry,
    },
    layout::Feeds,
};
use tokio::sync::{Mutex, mpsc};
use uuid::Uuid;

use super::{Matches, slot::Slot};
use crate::{clock, error::Result, tasks::Shutdown};

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
/// How many entries of linked replicas may wait. Others are read from the feed.
const NEWS: usize = 1_024;
/// When this many entries have followed one, its commits are visible.
const UNSETTLED: u64 = 500;
/// How often to look for commits that the feed names and that are not visible.
const GAP_POLL: Duration = Duration::from_millis(20);
/// How long to wait for them. A database that lost them would stop everybody who follows the feed for ever otherwise.
const GAP_PATIENCE: Duration = Duration::from_mins(1);

/// Whether the matches in memory are current. It outlives a failed follower.
#[derive(Debug)]
pub(super) struct Tail {
    /// When the feed was last read to its end, in milliseconds.
    read_at: AtomicI64,
}

impl Tail {
    /// As of now, the matches in memory are current.
    pub(super) fn new(now: Timestamp) -> Self {
        Self { read_at: AtomicI64::new(millis(now)) }
    }

    /// Whether the matches in memory count as current.
    pub(super) fn is_alive(&self, now: Timestamp) -> bool {
        // A clock that was set back says nothing about how old the last reading is.
        millis(now).abs_diff(self.read_at.load(Ordering::Relaxed)) < DEAD_AFTER_MILLIS
    }
}

fn millis(at: Timestamp) -> i64 {
    at.micros() / 1_000
}

/// Entries that other replicas have written and told this one about. It outlives a failed follower.
#[derive(Debug)]
pub(super) struct News {
    pub(super) sender: mpsc::Sender<WrittenEntry>,
    waiting: Mutex<mpsc::Receiver<WrittenEntry>>,
}

impl Default for News {
    fn default() -> Self {
        let (sender, waiting) = mpsc::channel(NEWS);
        Self { sender, waiting: Mutex::new(waiting) }
    }
}

/// Begins to follow the feed a little before its end: the commits of the last entries may not be visible yet. If each lane has a
/// feed of its own, they are.
pub(super) async fn begin(log: &EventLog) -> Result<()> {
    let last = log.last_entry().await?;
    log.progress().follow(match log.database().layout().feeds {
        Feeds::Shared => last.back(UNSETTLED),
        Feeds::PerLane => last,
    });
    Ok(())
}

/// Follows the feed until told to stop.
pub(super) async fn follow(matches: &Matches, tail: &Arc<Tail>, mut shutdown: Shutdown) {
    let mut follower =
        Follower { matches, looked: None, gaps: HashMap::new(), polled: Instant::now() };
    let mut news = matches.news.waiting.lock().await;
    let mut told = Vec::new();
    let mut listener = None;
    let mut hint = Hint::Poll;
    while !shutdown.is_requested() {
        let result = match hint {
            Hint::News => follower.take_news(&std::mem::take(&mut told)).await,
            Hint::Poll => follower.catch_up(None).await,
            Hint::Grown(position) => follower.catch_up(Some(&position)).await,
        };
        match result {
            Ok(true) => tail.read_at.store(millis(matches.clock.now()), Ordering::Relaxed),
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "cannot read the feed"),
        }
        // A standby sends no notifications.
        if listener.is_none() && !matches.log.database().is_read_only() {
            listener = match matches.log.listen(matches.replica).await {
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
            // What is missing comes without a notification.
            () = tokio::time::sleep(GAP_POLL), if !follower.gaps.is_empty() => Hint::Poll,
            hint = follower.next_hint(&mut listener), if follower.gaps.is_empty() => hint,
            // The sender is held by the matches.
            _ = news.recv_many(&mut told, NEWS), if follower.polled.elapsed() < POLL => Hint::News,
        };
    }
}

/// Why to look at the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Hint {
    /// It is time.
    Poll,
    /// It has grown to this position.
    Grown(FeedPosition),
    /// A linked replica says what it has written.
    News,
}

struct Follower<'a> {
    matches: &'a Matches,
    /// When it was last checked whether there are other replicas.
    looked: Option<Instant>,
    /// By feed, an entry that names a commit which is not visible.
    gaps: HashMap<Lane, Gap>,
    /// When the feed was last read.
    polled: Instant,
}

/// An entry that cannot be passed yet.
#[derive(Debug, Clone, Copy)]
struct Gap {
    at: EntryId,
    /// One of the commits that are missing.
    commit: (Uuid, u64),
    since: Timestamp,
}

impl Follower<'_> {
    /// Lets the writer know whether a replica listens that has no link to this one. If that cannot be found out, there may be one.
    async fn look_for_others(&mut self, listener: &mut Option<FeedListener>) {
        let others = match listener {
            Some(session) => session.others().await.map(Some),
            None => Ok(None),
        };
        let others = others.unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot look for other replicas");
            *listener = None;
            None
        });
        let linked = self.matches.links.as_ref().map(|links| links.listening()).unwrap_or_default();
        let is_alone = others.is_some_and(|others| others.iter().all(|id| linked.contains(id)));
        self.matches.log.progress().set_alone(is_alone);
        self.looked = Some(Instant::now());
    }

    /// How far the feed has been followed. Entries that this process has written itself need not be read.
    fn position(&self) -> FeedPosition {
        let position = self.matches.log.progress().position();
        position.expect("the feed is followed from the start of the process")
    }

    /// Applies everything up to the end of the feed, or at least up to the position in a notification. Returns false if a commit
    /// that the feed names is not visible yet.
    async fn catch_up(&mut self, hint: Option<&FeedPosition>) -> Result<bool> {
        self.polled = Instant::now();
        loop {
            let position = self.position();
            if hint.is_some_and(|hint| position.covers(hint)) {
                return Ok(true);
            }
            let FeedPage { entries, is_last } =
                self.matches.log.announced(&position, ENTRIES).await?;
            if entries.is_empty() {
                return Ok(true);
            }
            let unknown = self.apply(entries.iter().map(|entry| &*entry.commits)).await?;
            let missing = self.matches.log.missing(&unknown).await?;
            let reached = self.pass(&position, &entries, &missing);
            if reached != position {
                self.matches.log.progress().advance(&reached);
                self.matches.feed_grown.send_modify(|count| *count += 1);
            }
            if !self.gaps.is_empty() {
                return Ok(false);
            }
            if is_last {
                return Ok(true);
            }
        }
    }

    /// Passes these entries, each feed up to the first entry that names a missing commit, and returns the position after them.
    fn pass(
        &mut self,
        position: &FeedPosition,
        entries: &[FeedEntry],
        missing: &HashSet<(Uuid, u64)>,
    ) -> FeedPosition {
        let mut reached = position.clone();
        let mut held: HashSet<Lane> = HashSet::new();
        for entry in entries {
            let stream = entry.id.stream;
            if held.contains(&stream) {
                continue;
            }
            let gap = entry.commits.iter().find(|commit| missing.contains(*commit));
            if gap.is_some_and(|commit| !self.give_up(entry.id, *commit)) {
                held.insert(stream);
                continue;
            }
            reached.set(entry.id);
            self.announce(&entry.commits);
        }
        self.gaps.retain(|stream, _| held.contains(stream));
        reached
    }

    /// Takes in what linked replicas have written. Their commits are visible. Returns false: the feed may hold more than what they
    /// say.
    async fn take_news(&self, entries: &[WrittenEntry]) -> Result<bool> {
        self.apply(entries.iter().map(|entry| &*entry.commits)).await?;
        for entry in entries {
            self.announce(&entry.commits);
            self.matches.log.progress().confirm(entry.id);
        }
        self.matches.feed_grown.send_modify(|count| *count += 1);
        Ok(false)
    }

    /// Notifies the watchers of matches that are not in memory, or outdated there: a commit may have become visible after the match
    /// was read. They are read when the watchers look.
    fn announce(&self, commits: &[(Uuid, u64)]) {
        for (id, seq) in commits {
            if self.live(*id).is_none_or(|(_, now)| now.version() <= *seq) {
                self.matches.watchers.announce(*id, *seq + 1);
            }
        }
    }

    /// Notes the commits of some entries at the matches in memory, and applies them where somebody watches. Returns those that
    /// are not in memory.
    async fn apply<'a>(
        &self,
        entries: impl Iterator<Item = &'a [(Uuid, u64)]>,
    ) -> Result<Vec<(Uuid, u64)>> {
        let mut behind = HashMap::new();
        let mut unknown = Vec::new();
        for commits in entries {
            // A reader that is loading the match right now looks at this afterwards.
            let is_watched = self.matches.note(commits);
            for (id, seq) in commits {
                match self.live(*id) {
                    // Commits of this replica are in memory already.
                    Some((_, now)) if now.version() > *seq => {}
                    Some(live) => {
                        if is_watched && self.matches.watchers.is_watched(*id) {
                            behind.insert(*id, live);
                        }
                        unknown.push((*id, *seq));
                    }
                    None => unknown.push((*id, *seq)),
                }
            }
        }
        if behind.is_empty() {
            return Ok(unknown);
        }
        let from: Vec<_> = behind.iter().map(|(id, (_, now))| (*id, now.version())).collect();
        let mut versions = HashMap::with_capacity(behind.len());
        for (id, commits) in self.matches.log.load_many(&from).await? {
            if let Some((slot, now)) = behind.get(&id) {
                versions.insert(id, self.matches.apply(slot, now, &commits)?.version());
            }
        }
        unknown.retain(|(id, seq)| versions.get(id).is_none_or(|version| version <= seq));
        Ok(unknown)
    }

    /// A match in memory.
    fn live(&self, id: Uuid) -> Option<(Arc<Slot>, Arc<Match>)> {
        let live = self.matches.slots.peek(&id)?;
        let now = live.slot.now()?;
        Some((live.slot, now))
    }

    /// Whether to pass an entry although a commit of it is not visible. Until then, everybody who follows the feed waits.
    fn give_up(&mut self, at: EntryId, commit: (Uuid, u64)) -> bool {
        let now = self.matches.clock.now();
        let gap = match self.gaps.get(&at.stream) {
            Some(gap) if gap.at == at => Gap { commit, ..*gap },
            _ => {
                metrics::counter!("telar_feed_gaps_total").increment(1);
                tracing::warn!(lane = at.stream.column(), entry = at.number, match_id = %commit.0, seq = commit.1, "the feed names a commit that is not visible yet; waiting for it");
                Gap { at, commit, since: now }
            }
        };
        let give_up = now >= clock::after(gap.since, GAP_PATIENCE);
        if give_up {
            metrics::counter!("telar_feed_gaps_abandoned_total").increment(1);
            tracing::error!(lane = at.stream.column(), entry = at.number, match_id = %gap.commit.0, seq = gap.commit.1, "the feed names a commit that does not appear; going on without it. If it appears later, run `telar rebuild`");
        }
        if give_up {
            self.gaps.remove(&at.stream);
        } else {
            self.gaps.insert(at.stream, gap);
        }
        give_up
    }

    /// Waits for a notification with a new position, but no longer than the polling interval.
    ///
    /// Under load, notifications arrive faster than the feed is read. Outdated ones are skipped without a pause; otherwise
    /// the delay would grow with every notification.
    async fn next_hint(&mut self, listener: &mut Option<FeedListener>) -> Hint {
        let until = tokio::time::Instant::from_std(self.polled + POLL);
        let Some(session) = listener else {
            tokio::time::sleep_until(until).await;
            return Hint::Poll;
        };
        loop {
            let Ok(signal) = tokio::time::timeout_at(until, session.next()).await else {
                return Hint::Poll;
            };
            match signal {
                Ok(FeedSignal::Grown(hint)) if !self.position().covers(&hint) => {
                    tokio::time::sleep(SETTLE).await;
                    return Hint::Grown(hint);
                }
                Ok(FeedSignal::Grown(_)) => {}
                Ok(FeedSignal::NewListener) => {
                    self.looked = None;
                    return Hint::Poll;
                }
                Err(error) => {
                    tracing::warn!(%error, "the connection for notifications is lost");
                    *listener = None;
                    return Hint::Poll;
                }
            }
        }
    }
}
