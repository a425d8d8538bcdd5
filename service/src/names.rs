//! The public names of players, cached for a minute.

use std::{
    collections::{BTreeSet, HashMap},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use domain::time::Timestamp;
use store::{Db, players};
use uuid::Uuid;

use crate::{cache::TtlCache, error::Result};

/// Another replica may have changed a name: after this time it is read again.
const LIFETIME: Duration = Duration::from_mins(1);
const ENTRIES: usize = 100_000;

/// Names by player.
#[derive(Debug)]
pub struct NameCache {
    db: Db,
    names: TtlCache<Uuid, String>,
    renames: AtomicU64,
}

impl NameCache {
    /// The names of the players in this store.
    #[must_use]
    pub fn new(db: Db) -> Self {
        let names = TtlCache::with_entries(ENTRIES, LIFETIME);
        Self { db, names, renames: AtomicU64::new(0) }
    }

    /// The names of these players. A deleted player has none.
    pub async fn of(
        &self,
        players: BTreeSet<Uuid>,
        now: Timestamp,
    ) -> Result<HashMap<Uuid, String>> {
        let mut names = HashMap::with_capacity(players.len());
        let mut unknown = Vec::new();
        for id in players {
            match self.names.get(&id, now) {
                Some(name) => {
                    names.insert(id, name);
                }
                None => unknown.push(id),
            }
        }
        if !unknown.is_empty() {
            for (id, name) in players::names(&self.db, unknown).await? {
                self.names.put(id, name.clone(), now);
                names.insert(id, name);
            }
        }
        Ok(names)
    }

    /// The number of renames on this replica. What was rendered before the last one is out of date.
    #[must_use]
    pub fn renames(&self) -> u64 {
        self.renames.load(Ordering::Acquire)
    }

    /// Forgets a name that has changed.
    pub fn forget(&self, player: Uuid) {
        self.names.remove(&player);
        self.renames.fetch_add(1, Ordering::Release);
    }
}
