//! How far the feed has been followed in this process.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use super::{
    EntryId, FeedPosition, WrittenEntry,
    writer::{Row, Written},
};
use crate::lane::Lane;

/// How far the feed has been followed in this process: shared by the writer, which adds to it, and the followers, which read it.
///
/// An entry may become visible before the commits that it names, if they are on different nodes of a database. Everything up to
/// the followed position is visible, and nobody reads beyond it.
#[derive(Debug, Default)]
pub struct FeedProgress {
    /// Nothing while nobody follows the feed of a shared store.
    followed: Mutex<Option<Followed>>,
    /// Whether no other process has to be notified by the store.
    alone: AtomicBool,
    /// Told about every entry that this process has written.
    observer: OnceLock<Observer>,
    /// The feeds that could not be read, and when to try again.
    resting: Mutex<BTreeMap<Lane, Instant>>,
}

/// Is told about entries.
struct Observer(Box<dyn Fn(WrittenEntry) + Send + Sync>);

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

#[derive(Debug)]
struct Followed {
    position: FeedPosition,
    /// The entries after it that this process has written itself, or whose writer says that it has: their commits are visible.
    confirmed: BTreeSet<EntryId>,
}

impl Followed {
    /// Moves the position over confirmed entries that follow it.
    fn absorb(&mut self, stream: Lane) {
        let first = EntryId { stream, number: 0 };
        while let Some(next) = self.confirmed.range(first..).next().copied() {
            let reached = self.position.get(stream);
            if next.stream != stream || next.number > reached + 1 {
                break;
            }
            self.confirmed.remove(&next);
            if next.number > reached {
                self.position.set(next);
            }
        }
    }
}

/// The most confirmed entries that are remembered. More pile up only if the follower is stuck, and are read like others then.
const CONFIRMED: usize = 10_000;

/// How long a feed that could not be read is left alone. Nobody can write to it meanwhile, so nothing in memory is outdated.
const REST: Duration = Duration::from_millis(500);

impl FeedProgress {
    /// Notes what became of a batch that this process has written.
    pub(super) fn wrote(&self, batch: &[Row], written: &Written) {
        let Some(id) = written.pos else { return };
        self.confirm(id);
        if let Some(Observer(tell)) = self.observer.get() {
            let rows = batch.iter().filter(|row| written.has(&row.commit));
            let commits = rows.map(|row| (row.commit.match_id, row.commit.seq)).collect();
            tell(WrittenEntry { id, commits });
        }
    }

    /// From now on, `tell` is called with every entry that this process has written. Only the first call counts.
    pub fn observe(&self, tell: impl Fn(WrittenEntry) + Send + Sync + 'static) {
        let _ = self.observer.set(Observer(Box::new(tell)));
    }

    /// Notes that the commits of an entry are visible: the database has confirmed them to their writer.
    pub fn confirm(&self, entry: EntryId) {
        if let Some(followed) = self.followed.lock().as_mut() {
            followed.confirmed.insert(entry);
            followed.absorb(entry.stream);
            if followed.confirmed.len() > CONFIRMED {
                followed.confirmed.pop_first();
            }
        }
    }

    /// Begins to follow the feed after a position. From now on, followers see what [`Self::advance`] has reached.
    pub fn follow(&self, position: FeedPosition) {
        *self.followed.lock() = Some(Followed { position, confirmed: BTreeSet::new() });
    }

    /// Notes that everything up to a position is visible, and has been applied to the matches in memory.
    pub fn advance(&self, position: &FeedPosition) {
        if let Some(followed) = self.followed.lock().as_mut() {
            followed.position = followed.position.union(position);
            let streams: BTreeSet<Lane> =
                followed.confirmed.iter().map(|entry| entry.stream).collect();
            for stream in streams {
                followed.absorb(stream);
            }
        }
    }

    /// How far the feed has been followed; nothing if nobody follows it here.
    #[must_use]
    pub fn position(&self) -> Option<FeedPosition> {
        self.followed.lock().as_ref().map(|followed| followed.position.clone())
    }

    pub(super) fn is_alone(&self) -> bool {
        self.alone.load(Ordering::Relaxed)
    }

    /// Sets whether every other process that follows the feed hears of it in another way. If so, no notification is sent when the
    /// feed grows: a notification costs about as much as a move.
    pub fn set_alone(&self, alone: bool) {
        self.alone.store(alone, Ordering::Relaxed);
    }

    /// Leaves a feed alone that could not be read.
    pub(super) fn rest(&self, stream: Lane) {
        self.resting.lock().insert(stream, Instant::now() + REST);
    }

    /// Whether a feed is left alone at the moment.
    pub(super) fn is_resting(&self, stream: Lane) -> bool {
        self.resting.lock().get(&stream).is_some_and(|until| Instant::now() < *until)
    }
}
