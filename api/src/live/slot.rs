//! The place of a match in memory, and what it weighs there.

use std::sync::{Arc, RwLock, atomic::AtomicU64};

use domain::{
    matches::{Commit, Match},
    time::Timestamp,
};
use quick_cache::sync::Cache;
use tokio::sync::Mutex;
use uuid::Uuid;

/// The place of a match in memory. Readers never wait for a writer.
#[derive(Debug, Default)]
pub(super) struct Slot {
    /// Held while a command is decided and written.
    pub(super) turn: Mutex<()>,
    memory: RwLock<Memory>,
    /// The latest version that others are known to have written.
    pub(super) heard: AtomicU64,
}

#[derive(Debug, Default)]
struct Memory {
    now: Option<Arc<Match>>,
    /// Where each command that can come again went, so that a retry finds its first result.
    commands: Vec<(Uuid, u64)>,
}

/// What of a commit is still needed when the writer has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) seq: u64,
    pub(super) at: Timestamp,
    pub(super) command_id: Uuid,
}

impl Place {
    pub(super) fn of(commit: &Commit) -> Self {
        Self { seq: commit.seq, at: commit.at, command_id: commit.command_id }
    }
}

impl Slot {
    pub(super) fn now(&self) -> Option<Arc<Match>> {
        self.memory.read().ok()?.now.clone()
    }

    pub(super) fn place_of(&self, command_id: Uuid) -> Option<u64> {
        if !can_come_again(command_id) {
            return None;
        }
        let memory = self.memory.read().ok()?;
        memory.commands.iter().find(|(known, _)| *known == command_id).map(|(_, seq)| *seq)
    }

    /// Shows a newer match to readers, and remembers the commits that led to it.
    pub(super) fn publish(&self, table: &Arc<Match>, commits: impl IntoIterator<Item = Place>) {
        if let Ok(mut memory) = self.memory.write() {
            for place in commits.into_iter().filter(|place| can_come_again(place.command_id)) {
                memory.commands.push((place.command_id, place.seq));
            }
            if memory.now.as_ref().is_none_or(|old| old.version() < table.version()) {
                memory.now = Some(Arc::clone(table));
            }
        }
    }

    /// About how many bytes it takes, in steps, so that it seldom changes.
    pub(super) fn weight(&self) -> u32 {
        let Ok(memory) = self.memory.read() else { return STEP };
        let table = memory.now.as_ref().map_or(0, |table| table.weight());
        let bytes =
            size_of::<Self>() + table + memory.commands.capacity() * size_of::<(Uuid, u64)>();
        u32::try_from(bytes).unwrap_or(u32::MAX / 2).next_multiple_of(STEP)
    }
}

/// Weights are counted in steps of so many bytes.
pub(super) const STEP: u32 = 1_024;

/// A slot in the cache, with the weight that the cache counts it by.
#[derive(Debug, Clone)]
pub(super) struct Weighed {
    pub(super) slot: Arc<Slot>,
    pub(super) weight: u32,
}

/// The places of all matches in memory.
pub(super) type Slots = Cache<Uuid, Weighed, SlotWeight>;

/// Lets the cache know what a match weighs now.
pub(super) fn weigh(slots: &Slots, id: Uuid, slot: &Arc<Slot>) {
    let weight = slot.weight();
    if slots.peek(&id).is_some_and(|live| live.weight != weight) {
        slots.insert(id, Weighed { slot: Arc::clone(slot), weight });
    }
}

#[derive(Debug, Clone)]
pub(super) struct SlotWeight;

impl quick_cache::Weighter<Uuid, Weighed> for SlotWeight {
    fn weight(&self, _: &Uuid, live: &Weighed) -> u64 {
        live.weight.into()
    }
}

/// Ids of version 8 are made from the key that a client gave its command; all others are made for one request.
fn can_come_again(command_id: Uuid) -> bool {
    command_id.get_version_num() == 8
}
