//! Ids that have become invalid recently. Access tokens are checked without the store, so every request is checked against
//! these.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, Ordering},
};

use domain::time::Timestamp;
use parking_lot::RwLock;
use uuid::Uuid;

use super::tokens;

/// How long an access token may still be valid after its player or session has gone, in microseconds: its lifetime, and a margin
/// because clocks differ.
pub const REMEMBERED: i64 = (tokens::LIFETIME as i64 + 5 * 60) * 1_000_000;

/// Ids, and since when they are invalid.
#[derive(Debug, Default)]
pub struct RecentIds {
    any: AtomicBool,
    ids: RwLock<HashMap<Uuid, Timestamp>>,
}

impl RecentIds {
    /// Whether this id has become invalid recently.
    #[must_use]
    pub fn has(&self, id: Uuid) -> bool {
        // Usually none has, and then this check costs nothing.
        self.any.load(Ordering::Acquire) && self.ids.read().contains_key(&id)
    }

    /// Adds an id, and says whether it is new.
    pub fn add(&self, id: Uuid, at: Timestamp) -> bool {
        let is_new = self.ids.write().insert(id, at).is_none();
        self.any.store(true, Ordering::Release);
        is_new
    }

    /// Forgets the ids for which no valid access token is left.
    pub fn forget_old(&self, now: Timestamp) {
        let mut ids = self.ids.write();
        ids.retain(|_, at| at.micros() > now.micros() - REMEMBERED);
        self.any.store(!ids.is_empty(), Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_remembered_as_long_as_a_token_may_carry_it() {
        let (recent, id) = (RecentIds::default(), Uuid::from_u128(7));
        assert!(!recent.has(id));
        assert!(recent.add(id, Timestamp::from_micros(1)));
        assert!(!recent.add(id, Timestamp::from_micros(1)));
        recent.forget_old(Timestamp::from_micros(REMEMBERED));
        assert!(recent.has(id));
        recent.forget_old(Timestamp::from_micros(REMEMBERED + 1));
        assert!(!recent.has(id));
    }
}
