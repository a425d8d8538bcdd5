//! Which webhooks are called next, so that silent receivers delay nobody but their owners.
//!
//! A call begins in the quick pool and may stay there for two seconds. After that it goes on in the slow pool if that has room, and
//! is broken off otherwise, so a slot of the quick pool is never held for longer. A receiver that was slow begins in the slow pool
//! until it has responded quickly again. In both pools a player and a host have a small share, and free slots go to the players who
//! have used the least time.
//!
//! Every replica keeps its own book: a player's share is the same on each of them.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    sync::Arc,
    time::Duration,
};

use domain::time::Timestamp;
use parking_lot::Mutex;
use store::webhooks::WaitingWebhook;
use tokio::sync::Notify;
use url::Url;
use uuid::Uuid;

use crate::clock;

/// How long a call may stay in the quick pool.
pub(super) const QUICK: Duration = Duration::from_secs(2);
/// How many calls of one webhook can begin at once.
pub(super) const PER_WEBHOOK: usize = QUICK_POOL.per_player;

const QUICK_POOL: Limits = Limits { calls: 64, per_player: 4, per_host: 8 };
const SLOW_POOL: Limits = Limits { calls: 16, per_player: 2, per_host: 2 };

/// How long a receiver that did not respond in time is left alone, at first and at most. Each pause is twice the previous one.
const FIRST_REST: Duration = Duration::from_secs(1);
const LONGEST_REST: Duration = Duration::from_mins(1);

/// The time that a player has used counts half after this long, in microseconds.
const HALF_LIFE: i64 = 60_000_000;
/// A slow receiver that was not called for this long counts as unknown again, in microseconds.
const FORGOTTEN: i64 = 60 * 60 * 1_000_000;
/// From this many players on, those about whom there is nothing to remember are dropped.
const REMEMBERED: usize = 10_000;

/// How many calls there may be at once.
#[derive(Debug)]
struct Limits {
    calls: usize,
    per_player: usize,
    per_host: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pool {
    Quick,
    Slow,
}

/// The slots of this replica.
#[derive(Debug, Clone)]
pub(super) struct Slots {
    book: Arc<Mutex<Book>>,
    /// Woken when a slot becomes free.
    nudge: Arc<Notify>,
}

/// A slot for one call. Dropping it makes room for another.
#[derive(Debug)]
pub(super) struct Slot {
    /// The webhook to be called.
    pub(super) webhook_id: Uuid,
    player: Uuid,
    host: String,
    pool: Pool,
    slots: Slots,
}

#[derive(Debug, Default)]
struct Book {
    quick: Load,
    slow: Load,
    players: HashMap<Uuid, Account>,
}

/// The calls in one pool.
#[derive(Debug, Default)]
struct Load {
    calls: usize,
    by_player: HashMap<Uuid, usize>,
    by_host: HashMap<String, usize>,
}

/// What is known of a player's receivers.
#[derive(Debug, Default)]
struct Account {
    used_micros: i64,
    used_at: i64,
    /// Receivers whose last call was slow, by host. They belong to a player, so that nobody can make a host slow for others.
    slow: HashMap<String, Slowness>,
}

#[derive(Debug, Clone, Copy)]
struct Slowness {
    since: i64,
    /// How many calls in a row had no response.
    unanswered: u32,
    rests_until: i64,
}

impl Slots {
    pub(super) fn new(nudge: Arc<Notify>) -> Self {
        Self { book: Arc::default(), nudge }
    }

    /// Whether any slot is free.
    pub(super) fn any_free(&self) -> bool {
        let book = self.book.lock();
        book.quick.calls < QUICK_POOL.calls || book.slow.calls < SLOW_POOL.calls
    }

    /// Takes slots for waiting webhooks, in a fair order.
    pub(super) fn take(&self, waiting: Vec<WaitingWebhook>, now: Timestamp) -> Vec<Slot> {
        let mut book = self.book.lock();
        book.forget(now);
        let mut heap: BinaryHeap<_> = waiting
            .into_iter()
            .map(|webhook| {
                // A webhook that no longer exists has no URL; its deliveries are given up without a call.
                let host = webhook.url.as_deref().map(host).unwrap_or_default();
                let queue = Queue {
                    due_at: webhook.due_at,
                    webhook_id: webhook.webhook_id,
                    player: webhook.player_id.unwrap_or_default(),
                    host,
                    due: webhook.due,
                };
                Reverse((book.turn(queue.player, now), queue))
            })
            .collect();
        let mut taken = Vec::new();
        while let Some(Reverse((turn, mut queue))) = heap.pop() {
            // Other webhooks of the same player may have been chosen since.
            let turn_now = book.turn(queue.player, now);
            if turn_now > turn {
                heap.push(Reverse((turn_now, queue)));
                continue;
            }
            let Some(pool) = book.pool_for(queue.player, &queue.host, now) else { continue };
            book.load(pool).add(queue.player, &queue.host);
            taken.push(Slot {
                webhook_id: queue.webhook_id,
                player: queue.player,
                host: queue.host.clone(),
                pool,
                slots: self.clone(),
            });
            queue.due -= 1;
            if queue.due > 0 {
                heap.push(Reverse((turn_now, queue)));
            }
        }
        taken
    }
}

/// A webhook that waits for slots; earlier due times come first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Queue {
    due_at: i64,
    webhook_id: Uuid,
    player: Uuid,
    host: String,
    due: i64,
}

impl Slot {
    /// Moves a call that has taken longer than [`QUICK`] to the slow pool. Says whether it may go on.
    pub(super) fn linger(&mut self) -> bool {
        if self.pool == Pool::Slow {
            return true;
        }
        let mut book = self.slots.book.lock();
        if !book.slow.admits(&SLOW_POOL, self.player, &self.host) {
            return false;
        }
        book.quick.remove(self.player, &self.host);
        book.slow.add(self.player, &self.host);
        self.pool = Pool::Slow;
        drop(book);
        self.slots.nudge.notify_one();
        true
    }

    /// Remembers how long a call took, and whether there was a response.
    pub(super) fn note(&self, took: Duration, answered: bool, now: Timestamp) {
        let mut book = self.slots.book.lock();
        let account = book.players.entry(self.player).or_default();
        account.used_micros = account.used(now).saturating_add(micros(took));
        account.used_at = now.micros();
        if took < QUICK {
            account.slow.remove(&self.host);
            return;
        }
        let before = account.slow.get(&self.host).map_or(0, |slow| slow.unanswered);
        let unanswered = if answered { 0 } else { before.saturating_add(1) };
        let rests_until = clock::after(now, rest_after(unanswered)).micros();
        let slowness = Slowness { since: now.micros(), unanswered, rests_until };
        account.slow.insert(self.host.clone(), slowness);
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.book.lock().load(self.pool).remove(self.player, &self.host);
        self.slots.nudge.notify_one();
    }
}

impl Book {
    fn load(&mut self, pool: Pool) -> &mut Load {
        match pool {
            Pool::Quick => &mut self.quick,
            Pool::Slow => &mut self.slow,
        }
    }

    /// The pool in which a receiver can be called now.
    fn pool_for(&self, player: Uuid, host: &str, now: Timestamp) -> Option<Pool> {
        let slowness = self.players.get(&player).and_then(|account| account.slow.get(host));
        match slowness {
            None => self.quick.admits(&QUICK_POOL, player, host).then_some(Pool::Quick),
            Some(slowness) if slowness.rests_until > now.micros() => None,
            Some(_) => self.slow.admits(&SLOW_POOL, player, host).then_some(Pool::Slow),
        }
    }

    /// The place of a player in the queue: by the calls in flight, then by the time used.
    fn turn(&self, player: Uuid, now: Timestamp) -> (usize, i64) {
        let flying = [&self.quick, &self.slow].map(|load| load.of_player(player));
        let used = self.players.get(&player).map_or(0, |account| account.used(now));
        (flying.iter().sum(), used)
    }

    fn forget(&mut self, now: Timestamp) {
        if self.players.len() < REMEMBERED {
            return;
        }
        self.players.retain(|_, account| {
            account.slow.retain(|_, slow| now.micros() - slow.since < FORGOTTEN);
            account.used(now) > 0 || !account.slow.is_empty()
        });
    }
}

impl Account {
    /// The time used, as it counts now.
    fn used(&self, now: Timestamp) -> i64 {
        let halvings = now.micros().saturating_sub(self.used_at).max(0) / HALF_LIFE;
        self.used_micros >> halvings.min(62)
    }
}

impl Load {
    fn admits(&self, limits: &Limits, player: Uuid, host: &str) -> bool {
        self.calls < limits.calls
            && self.of_player(player) < limits.per_player
            && self.by_host.get(host).is_none_or(|calls| *calls < limits.per_host)
    }

    fn of_player(&self, player: Uuid) -> usize {
        self.by_player.get(&player).copied().unwrap_or(0)
    }

    fn add(&mut self, player: Uuid, host: &str) {
        self.calls += 1;
        *self.by_player.entry(player).or_default() += 1;
        *self.by_host.entry(host.to_owned()).or_default() += 1;
    }

    fn remove(&mut self, player: Uuid, host: &str) {
        self.calls -= 1;
        if let Some(calls) = self.by_player.get_mut(&player) {
            *calls -= 1;
            if *calls == 0 {
                self.by_player.remove(&player);
            }
        }
        if let Some(calls) = self.by_host.get_mut(host) {
            *calls -= 1;
            if *calls == 0 {
                self.by_host.remove(host);
            }
        }
    }
}

/// How long a receiver is left alone after this many calls in a row without a response.
fn rest_after(unanswered: u32) -> Duration {
    match unanswered {
        0 => Duration::ZERO,
        calls => FIRST_REST.saturating_mul(2_u32.saturating_pow(calls - 1)).min(LONGEST_REST),
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// The host and port of a URL, by which calls are limited.
fn host(url: &str) -> String {
    let parsed = Url::parse(url).ok();
    let host = parsed
        .as_ref()
        .and_then(|url| Some(format!("{}:{}", url.host_str()?, url.port_or_known_default()?)));
    // A URL that cannot be parsed is a host of its own; its deliveries fail and say why.
    host.unwrap_or_else(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_767_225_600_000_000);

    /// A webhook of a player at a host of its own, with ten due deliveries.
    fn webhook(player: u128, host: u16) -> WaitingWebhook {
        WaitingWebhook {
            webhook_id: Uuid::from_u128((player << 16) + u128::from(host)),
            player_id: Some(Uuid::from_u128(player)),
            url: Some(format!("https://{player}-{host}.example.com/")),
            due_at: 0,
            due: 10,
        }
    }

    /// The webhooks of some players, 20 each.
    fn webhooks(players: std::ops::Range<u128>) -> Vec<WaitingWebhook> {
        players.flat_map(|player| (0..20).map(move |host| webhook(player, host))).collect()
    }

    fn slots() -> Slots {
        Slots::new(Arc::default())
    }

    fn later(seconds: u64) -> Timestamp {
        clock::after(NOW, Duration::from_secs(seconds))
    }

    fn of_player(taken: &[Slot], player: u128) -> usize {
        taken.iter().filter(|slot| slot.player == Uuid::from_u128(player)).count()
    }

    #[test]
    fn no_player_gets_more_than_a_small_share() {
        let taken = slots().take(webhooks(1..6), NOW);
        assert_eq!(taken.len(), 5 * QUICK_POOL.per_player);
        for player in 1..6 {
            assert_eq!(of_player(&taken, player), QUICK_POOL.per_player);
        }
    }

    #[test]
    fn slots_are_spread_over_all_players_who_wait() {
        let slots = slots();
        let taken = slots.take(webhooks(1..61), NOW);
        assert_eq!(taken.len(), QUICK_POOL.calls);
        assert!((1..61).all(|player| of_player(&taken, player) >= 1));
        assert!(slots.take(webhooks(61..62), NOW).is_empty());
        assert!(slots.any_free(), "in the slow pool");
        drop(taken);
        assert_eq!(slots.take(webhooks(61..62), NOW).len(), QUICK_POOL.per_player);
    }

    #[test]
    fn a_host_that_many_players_share_is_not_flooded() {
        let shared = |player: u128| WaitingWebhook {
            url: Some("https://hooks.example.com/x".to_owned()),
            ..webhook(player, 0)
        };
        let taken = slots().take((1..30).map(shared).collect(), NOW);
        assert_eq!(taken.len(), QUICK_POOL.per_host);
    }

    #[test]
    fn a_slow_call_leaves_the_quick_pool_and_is_broken_off_where_there_is_no_room() {
        let slots = slots();
        let mut taken = slots.take(webhooks(1..20), NOW);
        assert_eq!(taken.len(), QUICK_POOL.calls);
        let going_on = taken.iter_mut().filter_map(|slot| slot.linger().then_some(())).count();
        assert_eq!(going_on, SLOW_POOL.calls);
        for player in 1..20 {
            let slow = taken.iter().filter(|slot| slot.pool == Pool::Slow);
            let theirs = slow.filter(|slot| slot.player == Uuid::from_u128(player)).count();
            assert!(theirs <= SLOW_POOL.per_player);
        }
        assert_eq!(slots.take(webhooks(30..40), NOW).len(), SLOW_POOL.calls, "what they left");
    }

    #[test]
    fn a_silent_receiver_is_called_in_the_slow_pool_after_pauses_that_grow() {
        let slots = slots();
        let mut now = NOW;
        for rest in [1, 2, 4, 8, 16, 32, 60, 60] {
            let taken = slots.take(vec![webhook(1, 0)], now);
            assert!(!taken.is_empty());
            taken[0].note(Duration::from_secs(10), false, now);
            drop(taken);
            now = clock::after(now, Duration::from_millis(1_000 * rest - 1));
            assert!(slots.take(vec![webhook(1, 0)], now).is_empty(), "it rests for {rest} s");
            now = clock::after(now, Duration::from_millis(1));
            let taken = slots.take(vec![webhook(1, 0)], now);
            assert!(taken.iter().all(|slot| slot.pool == Pool::Slow));
            assert_eq!(taken.len(), SLOW_POOL.per_player);
        }
        let taken = slots.take(vec![webhook(1, 0)], now);
        taken[0].note(Duration::from_millis(50), true, now);
        drop(taken);
        let taken = slots.take(vec![webhook(1, 0)], now);
        assert!(taken.iter().all(|slot| slot.pool == Pool::Quick), "it has responded quickly");
    }

    #[test]
    fn a_slow_response_is_a_response_and_brings_no_pause() {
        let slots = slots();
        slots.take(vec![webhook(1, 0)], NOW)[0].note(Duration::from_secs(5), true, NOW);
        assert_eq!(slots.take(vec![webhook(1, 0)], NOW).len(), SLOW_POOL.per_player);
    }

    #[test]
    fn nobody_can_make_a_host_slow_for_others() {
        let slots = slots();
        let url = webhook(1, 0).url;
        slots.take(vec![webhook(1, 0)], NOW)[0].note(Duration::from_secs(10), false, NOW);
        let same_host = WaitingWebhook { url, ..webhook(2, 0) };
        let taken = slots.take(vec![same_host], NOW);
        assert!(taken.iter().all(|slot| slot.pool == Pool::Quick));
        assert_eq!(taken.len(), QUICK_POOL.per_player);
    }

    #[test]
    fn a_free_slot_goes_to_those_who_have_used_the_least_time() {
        let slots = slots();
        let mut taken = slots.take(webhooks(1..101), NOW);
        for slot in &taken {
            slot.note(Duration::from_secs(2), false, NOW);
        }
        // All of them wait with further hosts, some of them without a call in flight, and for longer.
        taken.truncate(QUICK_POOL.calls - 1);
        let elsewhere = |player| (20..40).map(move |host| webhook(player, host));
        let mut waiting: Vec<_> = (1..65).flat_map(elsewhere).collect();
        waiting.push(WaitingWebhook { due_at: 1, ..webhook(500, 0) });
        let next = slots.take(waiting, NOW);
        assert_eq!(next.len(), 1);
        assert_eq!(of_player(&next, 500), 1);
    }

    #[test]
    fn what_is_long_ago_is_forgotten() {
        let slots = slots();
        for player in 1..=REMEMBERED as u128 {
            let taken = slots.take(vec![webhook(player, 0)], NOW);
            taken[0].note(Duration::from_secs(10), false, NOW);
        }
        slots.take(Vec::new(), later(60));
        assert_eq!(slots.book.lock().players.len(), REMEMBERED);
        slots.take(Vec::new(), later(2 * 60 * 60));
        assert_eq!(slots.book.lock().players.len(), 0);
        assert!(slots.book.lock().quick.by_host.is_empty());
    }
}
