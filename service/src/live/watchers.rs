//! Who watches which match on this replica. Independent of the matches in memory, which may be evicted while somebody still
//! watches. A match that nobody watches costs one look-up.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use domain::{
    matches::{Commit, Match},
    seat::{Seat, SeatSet},
};
use parking_lot::RwLock;
use tokio::sync::watch;
use uuid::Uuid;

/// The latest update of a match. Only the latest is kept: watchers that have missed something read it from the log.
#[derive(Debug, Clone, Default)]
pub struct Update {
    /// The match has at least this version.
    pub version: u64,
    /// How it got there, if this replica knows.
    pub latest: Option<LatestStep>,
    /// The seats that watch, here or at another replica.
    pub present: SeatSet,
}

/// The last step of a match.
#[derive(Debug, Clone)]
pub struct LatestStep {
    /// The match after it.
    pub after: Arc<Match>,
    /// What led to it, oldest first.
    pub commits: Arc<[Commit]>,
}

/// The watchers of all matches.
#[derive(Debug, Default)]
pub struct Watchers {
    watched: RwLock<HashMap<Uuid, Watched>>,
}

#[derive(Debug)]
struct Watched {
    updates: watch::Sender<Update>,
    /// The number of watchers.
    watchers: usize,
    /// How many streams each seat has here.
    here: [u32; Seat::MAX as usize],
    /// The seats that watch at other replicas.
    elsewhere: SeatSet,
}

impl Watched {
    fn here(&self) -> SeatSet {
        Seat::all(Seat::MAX).filter(|seat| self.here[seat.index()] > 0).collect()
    }

    fn publish_presence(&self) {
        let present = SeatSet::from_bits(self.here().bits() | self.elsewhere.bits());
        self.updates
            .send_if_modified(|update| std::mem::replace(&mut update.present, present) != present);
    }
}

impl Watchers {
    /// Begins to watch a match.
    #[must_use]
    pub fn watch(self: &Arc<Self>, id: Uuid) -> Watcher {
        let mut watched = self.watched.write();
        let entry = watched.entry(id).or_insert_with(|| Watched {
            updates: watch::Sender::default(),
            watchers: 0,
            here: [0; Seat::MAX as usize],
            elsewhere: SeatSet::NONE,
        });
        entry.watchers += 1;
        let updates = entry.updates.subscribe();
        Watcher { watchers: Arc::clone(self), id, seat: None, updates }
    }

    /// Publishes a new state of a match to its watchers.
    pub fn publish(&self, after: &Arc<Match>, commits: &[Commit]) {
        let watched = self.watched.read();
        let Some(entry) = watched.get(&after.id()) else { return };
        entry.updates.send_if_modified(|update| {
            let known = update.latest.as_ref().map_or(0, |latest| latest.after.version());
            let is_new = after.version() > known && after.version() >= update.version;
            if is_new {
                update.version = after.version();
                update.latest =
                    Some(LatestStep { after: Arc::clone(after), commits: commits.into() });
            }
            is_new
        });
    }

    /// Announces to the watchers of a match that it has at least this version.
    pub fn announce(&self, id: Uuid, version: u64) {
        if let Some(entry) = self.watched.read().get(&id) {
            entry.updates.send_if_modified(|update| {
                let is_new = version > update.version;
                update.version = update.version.max(version);
                is_new
            });
        }
    }

    /// Whether somebody watches a match.
    #[must_use]
    pub fn is_watched(&self, id: Uuid) -> bool {
        self.watched.read().contains_key(&id)
    }

    /// The matches that somebody watches.
    #[must_use]
    pub fn watched(&self) -> Vec<Uuid> {
        self.watched.read().keys().copied().collect()
    }

    /// The seats that watch here, by match.
    #[must_use]
    pub fn present(&self) -> Vec<(Uuid, SeatSet)> {
        let watched = self.watched.read();
        let seats = watched.iter().map(|(id, entry)| (*id, entry.here()));
        seats.filter(|(_, seats)| !seats.is_empty()).collect()
    }

    /// Notes which seats watch at other replicas.
    pub fn note_elsewhere(&self, id: Uuid, seats: SeatSet) {
        if let Some(entry) = self.watched.write().get_mut(&id) {
            entry.elsewhere = seats;
            entry.publish_presence();
        }
    }

    fn change(&self, id: Uuid, change: impl FnOnce(&mut Watched)) {
        if let Entry::Occupied(mut entry) = self.watched.write().entry(id) {
            change(entry.get_mut());
            entry.get().publish_presence();
            if entry.get().watchers == 0 {
                entry.remove();
            }
        }
    }
}

/// A watcher of a match, until dropped.
#[derive(Debug)]
pub struct Watcher {
    watchers: Arc<Watchers>,
    id: Uuid,
    seat: Option<Seat>,
    updates: watch::Receiver<Update>,
}

impl Watcher {
    /// Counts as present in this seat from now on. Returns whether this is the first stream of the seat at this replica.
    pub fn sit(&mut self, seat: Option<Seat>) -> bool {
        if self.seat == seat {
            return false;
        }
        let before = std::mem::replace(&mut self.seat, seat);
        let mut first = false;
        self.watchers.change(self.id, |entry| {
            if let Some(count) = before.and_then(|seat| entry.here.get_mut(seat.index())) {
                *count -= 1;
            }
            if let Some(count) = seat.and_then(|seat| entry.here.get_mut(seat.index())) {
                *count += 1;
                first = *count == 1;
            }
        });
        first
    }

    /// The latest update.
    #[must_use]
    pub fn latest(&mut self) -> Update {
        self.updates.borrow_and_update().clone()
    }

    /// Waits for the next update.
    pub async fn changed(&mut self) {
        let changed = self.updates.changed().await;
        changed.expect("the entry of a match is kept while somebody watches it");
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let seat = self.seat.take();
        self.watchers.change(self.id, |entry| {
            if let Some(count) = seat.and_then(|seat| entry.here.get_mut(seat.index())) {
                *count -= 1;
            }
            entry.watchers -= 1;
        });
    }
}

#[cfg(test)]
mod tests {
    use domain::{
        games,
        matches::{Command, Create},
        time::Timestamp,
    };
    use futures_util::FutureExt;

    use super::*;

    const MATCH: Uuid = Uuid::from_u128(7);

    /// A match for four, and how it goes on: one seat is taken after the other.
    fn steps() -> Vec<(Arc<Match>, Commit)> {
        let at = Timestamp::from_micros(0);
        let qwinto = games::find("qwinto").expect("a game");
        let create = Create::new(MATCH, qwinto, 4, Uuid::from_u128(1), [7; 32].into());
        let created = Match::create(create, at).expect("a match").into_commit(Uuid::nil());
        let mut steps = vec![(Arc::new(created.0), created.2)];
        for player in 2..4 {
            let player = Uuid::from_u128(player);
            let sit = Command::Sit { player, seat: None, entropy: None, invite_code: None };
            let (now, _) = steps.last().expect("a step");
            let (after, _, commit) = now.decide(&sit, at).expect("a seat").into_commit(player);
            steps.push((Arc::new(after), commit));
        }
        steps
    }

    fn latest(update: &Update) -> Option<u64> {
        update.latest.as_ref().map(|latest| latest.after.version())
    }

    /// Whether something was told that has not been looked at.
    fn is_told(watcher: &mut Watcher) -> bool {
        watcher.changed().now_or_never().is_some()
    }

    #[test]
    fn updates_are_told_in_order_and_only_once() {
        let watchers = Arc::new(Watchers::default());
        let steps = steps();
        let mut watcher = watchers.watch(MATCH);
        assert_eq!((watcher.latest().version, is_told(&mut watcher)), (0, false));
        for (after, commit) in &steps[..2] {
            watchers.publish(after, std::slice::from_ref(commit));
            assert!(is_told(&mut watcher));
            let told = watcher.latest();
            assert_eq!((told.version, latest(&told)), (after.version(), Some(after.version())));
        }
        // What is older, or known, is not told again.
        for (after, commit) in &steps[..2] {
            watchers.publish(after, std::slice::from_ref(commit));
            watchers.announce(MATCH, after.version());
        }
        assert!(!is_told(&mut watcher));
        assert_eq!(watcher.latest().version, steps[1].0.version());
    }

    #[test]
    fn an_announcement_is_completed_by_its_step_but_not_by_an_older_one() {
        let watchers = Arc::new(Watchers::default());
        let steps = steps();
        let mut watcher = watchers.watch(MATCH);
        let version = steps[2].0.version();
        watchers.announce(MATCH, version);
        assert!(is_told(&mut watcher));
        let told = watcher.latest();
        assert_eq!((told.version, latest(&told)), (version, None));
        watchers.publish(&steps[1].0, std::slice::from_ref(&steps[1].1));
        assert!(!is_told(&mut watcher), "a step before what was announced would go back");
        watchers.publish(&steps[2].0, std::slice::from_ref(&steps[2].1));
        assert!(is_told(&mut watcher));
        let told = watcher.latest();
        assert_eq!((told.version, latest(&told)), (version, Some(version)));
    }

    #[test]
    fn nothing_is_kept_for_a_match_that_nobody_watches() {
        let watchers = Arc::new(Watchers::default());
        let (created, commit) = steps().remove(0);
        watchers.publish(&created, std::slice::from_ref(&commit));
        watchers.announce(MATCH, 9);
        assert!(!watchers.is_watched(MATCH));
        let (first, second) = (watchers.watch(MATCH), watchers.watch(MATCH));
        drop(first);
        assert!(watchers.is_watched(MATCH));
        drop(second);
        assert!(!watchers.is_watched(MATCH));
        let mut later = watchers.watch(MATCH);
        assert_eq!((later.latest().version, is_told(&mut later)), (0, false));
    }

    #[test]
    fn presence_is_told_when_it_changes_here_or_elsewhere() {
        let watchers = Arc::new(Watchers::default());
        let (zero, one) = (Seat::at::<0>(), Seat::at::<1>());
        let mut observer = watchers.watch(MATCH);
        let present = |observer: &mut Watcher| observer.latest().present;
        let mut streams = [watchers.watch(MATCH), watchers.watch(MATCH)];
        assert!(streams[0].sit(Some(zero)), "the first stream of the seat");
        assert_eq!(present(&mut observer), SeatSet::NONE.with(zero));
        assert!(!streams[1].sit(Some(zero)), "its second");
        assert!(!is_told(&mut observer));
        watchers.note_elsewhere(MATCH, SeatSet::NONE.with(one));
        assert_eq!(present(&mut observer), SeatSet::NONE.with(zero).with(one));
        assert_eq!(watchers.present(), [(MATCH, SeatSet::NONE.with(zero))]);
        let [first, second] = streams;
        drop(first);
        assert!(!is_told(&mut observer), "the other stream of the seat is still open");
        drop(second);
        assert_eq!(present(&mut observer), SeatSet::NONE.with(one));
    }
}
