//! What was made for somebody, kept for whoever asks for the same soon after.

use std::hash::Hash;

use domain::time::Timestamp;
use quick_cache::{Equivalent, Weighter, sync::Cache};

/// Names are shown nearly everywhere, and another replica may have changed one: what is older than this is made anew.
const FRESH_MILLIS: i64 = 10_000;
/// So many bytes are kept.
const BUDGET: u64 = 16 * 1024 * 1024;
/// How many bytes something has, about.
const USUAL: u64 = 4_096;
/// What it takes besides, about.
const FRAME: u64 = 256;

/// Things that are kept for a while, as many as there is room for.
#[derive(Debug)]
pub struct Kept<K, V> {
    known: Cache<K, Entry<V>, Weight>,
}

#[derive(Debug, Clone)]
struct Entry<V> {
    thing: V,
    bytes: usize,
    since: Timestamp,
}

#[derive(Debug, Clone)]
struct Weight;

impl<K, V> Weighter<K, Entry<V>> for Weight {
    fn weight(&self, _: &K, entry: &Entry<V>) -> u64 {
        entry.bytes as u64 + FRAME
    }
}

impl<K: Eq + Hash, V: Clone> Default for Kept<K, V> {
    fn default() -> Self {
        let items = usize::try_from(BUDGET / USUAL).unwrap_or(usize::MAX);
        Self { known: Cache::with_weighter(items, BUDGET, Weight) }
    }
}

impl<K: Eq + Hash, V: Clone> Kept<K, V> {
    /// What is kept under a key, unless it is too old.
    pub fn get<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q, now: Timestamp) -> Option<V> {
        let entry = self.known.get(key)?;
        (now.millis_since(entry.since) < FRESH_MILLIS).then_some(entry.thing)
    }

    /// Keeps something of so many bytes.
    pub fn put(&self, key: K, thing: V, bytes: usize, now: Timestamp) {
        self.known.insert(key, Entry { thing, bytes, since: now });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_neither_old_nor_too_much() {
        let kept = Kept::<String, u32>::default();
        let at = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000);
        kept.put("a".to_owned(), 1, 1, at(0));
        assert_eq!(kept.get("a", at(9)), Some(1));
        assert_eq!(kept.get("a", at(10)), None);
        kept.put("a".to_owned(), 2, 1, at(10));
        assert_eq!(kept.get("a", at(11)), Some(2));
        for number in 0..64 {
            kept.put(number.to_string(), number, 1024 * 1024, at(11));
        }
        let held = (0..64).filter(|number| kept.get(&number.to_string(), at(11)).is_some()).count();
        assert!((1..16).contains(&held), "{held}");
    }
}
