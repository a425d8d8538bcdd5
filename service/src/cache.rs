//! Values that are kept for a while, so that what was computed for one reader serves the next.

use std::{hash::Hash, time::Duration};

use domain::time::Timestamp;
use quick_cache::{Equivalent, Weighter, sync::Cache};

/// Approximate overhead of an entry, in bytes.
const OVERHEAD: u64 = 256;

/// A cache whose entries expire. It is bounded by the bytes that its entries take, or by their number.
#[derive(Debug)]
pub struct TtlCache<K, V> {
    entries: Cache<K, Entry<V>, EntryWeight>,
    lifetime_millis: i64,
}

#[derive(Debug, Clone)]
struct Entry<V> {
    value: V,
    weight: u64,
    since: Timestamp,
}

#[derive(Debug, Clone)]
struct EntryWeight;

impl<K, V> Weighter<K, Entry<V>> for EntryWeight {
    fn weight(&self, _: &K, entry: &Entry<V>) -> u64 {
        entry.weight
    }
}

impl<K: Eq + Hash, V: Clone> TtlCache<K, V> {
    /// A cache of at most this many entries.
    #[must_use]
    pub fn with_entries(entries: usize, lifetime: Duration) -> Self {
        Self::new(entries, entries as u64, lifetime)
    }

    /// A cache of at most this many bytes, whose values have about `usual` bytes.
    #[must_use]
    pub fn with_bytes(bytes: u64, usual: u64, lifetime: Duration) -> Self {
        let entries = usize::try_from(bytes / usual).expect("a cache fits into memory");
        Self::new(entries, bytes, lifetime)
    }

    fn new(entries: usize, capacity: u64, lifetime: Duration) -> Self {
        let lifetime_millis =
            i64::try_from(lifetime.as_millis()).expect("no cache lives that long");
        Self { entries: Cache::with_weighter(entries, capacity, EntryWeight), lifetime_millis }
    }

    /// The value of a key, unless it has expired.
    pub fn get<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q, now: Timestamp) -> Option<V> {
        let entry = self.entries.get(key)?;
        (now.millis_since(entry.since) < self.lifetime_millis).then_some(entry.value)
    }

    /// Keeps a value in a cache that is bounded by the number of its entries.
    pub fn put(&self, key: K, value: V, now: Timestamp) {
        self.entries.insert(key, Entry { value, weight: 1, since: now });
    }

    /// Keeps a value of this many bytes in a cache that is bounded by bytes.
    pub fn put_bytes(&self, key: K, value: V, bytes: usize, now: Timestamp) {
        self.entries.insert(key, Entry { value, weight: bytes as u64 + OVERHEAD, since: now });
    }

    /// Forgets the value of a key.
    pub fn remove<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q) {
        self.entries.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1024 * 1024;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    #[test]
    fn entries_expire() {
        let cache = TtlCache::<String, u32>::with_entries(10, Duration::from_secs(10));
        cache.put("a".to_owned(), 1, at(0));
        assert_eq!(cache.get("a", at(9)), Some(1));
        assert_eq!(cache.get("a", at(10)), None);
        cache.put("a".to_owned(), 2, at(10));
        assert_eq!(cache.get("a", at(11)), Some(2));
        cache.remove("a");
        assert_eq!(cache.get("a", at(11)), None);
    }

    #[test]
    fn a_cache_holds_no_more_than_its_bytes() {
        let cache = TtlCache::<u32, u32>::with_bytes(16 * MIB, 4_096, Duration::from_secs(10));
        for number in 0..64 {
            cache.put_bytes(number, number, 1024 * 1024, at(0));
        }
        let held = (0..64).filter(|number| cache.get(number, at(0)).is_some()).count();
        assert!((1..16).contains(&held), "{held}");
    }
}
