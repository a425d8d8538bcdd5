//! The slot of a match in memory, and its weight in the cache.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use domain::{
    matches::{Commit, Match},
    time::Timestamp,
};
use parking_lot::RwLock;
use quick_cache::{DefaultHashBuilder, sync::Cache};
use tokio::sync::Mutex;
use uuid::Uuid;

use super::recent::Recent;

/// The slot of a match in memory. Readers never wait for a writer.
#[derive(Debug, Default)]
pub(super) struct Slot {
    /// Held while a command is decided and written.
    pub(super) turn: Mutex<()>,
    content: RwLock<Content>,
    /// The latest version that others are known to have written.
    pub(super) announced: AtomicU64,
    /// A version that the log may have reached without this slot being shown it.
    doubtful: AtomicU64,
}

#[derive(Debug, Default)]
struct Content {
    now: Option<Arc<Match>>,
    /// The sequence numbers of commands that can be retried, so that a retry finds its first result.
    commands: Vec<(Uuid, u64)>,
    /// Once another replica has sent a command to this match.
    recent: Option<Box<Recent>>,
}

/// The part of a commit that is still needed once the writer has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommitKey {
    pub(super) seq: u64,
    pub(super) at: Timestamp,
    pub(super) command_id: Uuid,
}

impl CommitKey {
    pub(super) fn of(commit: &Commit) -> Self {
        Self { seq: commit.seq, at: commit.at, command_id: commit.command_id }
    }
}

impl Slot {
    pub(super) fn now(&self) -> Option<Arc<Match>> {
        self.content.read().now.clone()
    }

    /// Notes that the log may hold a commit at `seq` that is not shown here, because its fate is unknown. Such a slot is caught
    /// up before it is read or commanded.
    pub(super) fn doubt(&self, seq: u64) {
        self.doubtful.fetch_max(seq + 1, Ordering::AcqRel);
    }

    /// Whether the log may hold more than this match.
    pub(super) fn is_doubtful(&self, now: &Match) -> bool {
        self.doubtful.load(Ordering::Acquire) > now.version()
    }

    /// Whether the log holds more than this match, or may do so.
    pub(super) fn is_ahead_of(&self, now: &Match) -> bool {
        self.announced.load(Ordering::Acquire) > now.version() || self.is_doubtful(now)
    }

    /// Notes that others have written the commit at `seq`.
    pub(super) fn announce(&self, seq: u64) {
        self.announced.fetch_max(seq + 1, Ordering::AcqRel);
    }

    /// Keeps the latest commits from now on.
    pub(super) fn keep_recent(&self) {
        let mut content = self.content.write();
        let version = content.now.as_ref().map_or(0, |now| now.version());
        content.recent.get_or_insert_with(|| Box::new(Recent::new(version)));
    }

    /// Keeps these commits, which the log holds from a version on, if they lead to the match and the latest are kept at all.
    pub(super) fn recall(&self, since: u64, commits: &[Commit]) {
        let mut content = self.content.write();
        let version = content.now.as_ref().map(|now| now.version());
        if let Some(recent) = &mut content.recent
            && commits.last().map(Commit::version) == version
        {
            **recent = Recent::new(since);
            recent.extend(commits, version.unwrap_or(since));
        }
    }

    /// Whether the latest commits are kept.
    pub(super) fn keeps_recent(&self) -> bool {
        self.content.read().recent.is_some()
    }

    /// The match, and what `look` finds in its latest commits; nothing if those from a version on are not kept.
    pub(super) fn with_recent<T>(
        &self,
        since: u64,
        look: impl FnOnce(&mut dyn Iterator<Item = &Commit>) -> T,
    ) -> Option<(Arc<Match>, T)> {
        let content = self.content.read();
        let now = content.now.as_ref()?;
        let mut commits = content.recent.as_ref()?.since(since)?;
        Some((Arc::clone(now), look(&mut commits)))
    }

    /// The sequence number of a command that was executed before.
    pub(super) fn seq_of(&self, command_id: Uuid) -> Option<u64> {
        if !is_retryable(command_id) {
            return None;
        }
        let content = self.content.read();
        content.commands.iter().find(|(known, _)| *known == command_id).map(|(_, seq)| *seq)
    }

    /// Shows a newer match to readers, and remembers the keys of the commits that led to it, and those of the commits that are at
    /// hand.
    pub(super) fn publish(
        &self,
        newer: &Arc<Match>,
        keys: impl IntoIterator<Item = CommitKey>,
        commits: &[Commit],
    ) {
        let mut content = self.content.write();
        // The match that is here came with the commits before it.
        let known = content.now.as_ref().map_or(0, |now| now.version());
        let new = keys.into_iter().filter(|key| key.seq >= known);
        for key in new.filter(|key| is_retryable(key.command_id)) {
            content.commands.push((key.command_id, key.seq));
        }
        if content.now.as_ref().is_none_or(|old| old.version() < newer.version()) {
            content.now = Some(Arc::clone(newer));
            if let Some(recent) = &mut content.recent {
                recent.extend(commits, newer.version());
            }
        }
    }

    /// The approximate number of bytes that the slot takes, in steps, so that it seldom changes.
    pub(super) fn weight(&self) -> u32 {
        let content = self.content.read();
        let now = content.now.as_ref().map_or(0, |now| now.weight());
        let commands = content.commands.capacity() * size_of::<(Uuid, u64)>();
        let recent = content.recent.as_ref().map_or(0, |recent| recent.weight());
        let bytes = size_of::<Self>() + now + commands + recent;
        let bytes = u32::try_from(bytes).expect("a match takes far less than 4 GiB");
        bytes.next_multiple_of(WEIGHT_STEP)
    }
}

/// Weights are multiples of this many bytes.
pub(super) const WEIGHT_STEP: u32 = 1_024;

/// A slot in the cache, with the weight that the cache counts it by.
#[derive(Debug, Clone)]
pub(super) struct WeighedSlot {
    pub(super) slot: Arc<Slot>,
    weight: u32,
}

/// The slots of all matches in memory. A match has one slot as long as anybody holds it.
pub(super) type SlotCache = Cache<Uuid, WeighedSlot, SlotWeight, DefaultHashBuilder, KeepHeld>;

/// A cache of slots that take about this many bytes.
pub(super) fn new_cache(bytes: u64) -> SlotCache {
    let slots = usize::try_from(bytes / u64::from(4 * WEIGHT_STEP)).expect("memory is addressable");
    Cache::with(slots, bytes, SlotWeight, DefaultHashBuilder::default(), KeepHeld)
}

/// A slot for a match that is not in memory yet.
pub(super) fn empty_slot() -> WeighedSlot {
    WeighedSlot { slot: Arc::default(), weight: WEIGHT_STEP }
}

/// Updates the weight of a match in the cache.
pub(super) fn reweigh(slots: &SlotCache, id: Uuid, slot: &Arc<Slot>) {
    let weight = slot.weight();
    if slots.peek(&id).is_some_and(|live| live.weight != weight) {
        slots.insert(id, WeighedSlot { slot: Arc::clone(slot), weight });
    }
}

/// Forgets a match that does not exist, unless somebody still holds its slot and may be about to create it.
pub(super) fn forget(slots: &SlotCache, id: Uuid) {
    slots.remove_if(&id, |live| Arc::strong_count(&live.slot) == 1 && live.slot.now().is_none());
}

/// Evicts only slots that nobody holds. A slot that was evicted while a command waits for the store would show its result to
/// nobody, because readers would get a new slot.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeepHeld;

impl quick_cache::Lifecycle<Uuid, WeighedSlot> for KeepHeld {
    type RequestState = ();

    fn is_pinned(&self, _: &Uuid, live: &WeighedSlot) -> bool {
        Arc::strong_count(&live.slot) > 1
    }
}

#[derive(Debug, Clone)]
pub(super) struct SlotWeight;

impl quick_cache::Weighter<Uuid, WeighedSlot> for SlotWeight {
    fn weight(&self, _: &Uuid, live: &WeighedSlot) -> u64 {
        live.weight.into()
    }
}

/// Ids of version 8 are derived from the key that a client gave its command; all others are made for one request.
fn is_retryable(command_id: Uuid) -> bool {
    command_id.get_version_num() == 8
}
