//! The rematch of a finished match: there is at most one.

use std::time::Duration;

use domain::time::Timestamp;
use store::Db;
use uuid::Uuid;

use crate::{cache::TtlCache, clock, error::Result};

/// How long an answer is cached. Another replica may open a rematch in the meantime.
const LIFETIME: Duration = Duration::from_secs(1);
const ENTRIES: usize = 20_000;

/// Rematches by the match before.
#[derive(Debug)]
pub struct RematchCache {
    db: Db,
    rematches: TtlCache<Uuid, Option<Uuid>>,
}

impl RematchCache {
    /// The rematches in this store.
    #[must_use]
    pub fn new(db: Db) -> Self {
        Self { db, rematches: TtlCache::with_entries(ENTRIES, LIFETIME) }
    }

    /// The rematch of a match, if there is one.
    pub async fn of(&self, id: Uuid, now: Timestamp) -> Result<Option<Uuid>> {
        match self.rematches.get(&id, now) {
            Some(rematch) => Ok(rematch),
            None => self.read(id, now).await,
        }
    }

    /// The id of the rematch of a match: the first caller chooses it.
    pub async fn claim(&self, id: Uuid, now: Timestamp) -> Result<Uuid> {
        let claimed = store::rematches::claim(&self.db, id, clock::new_id(now), now).await?;
        self.rematches.put(id, Some(claimed), now);
        Ok(claimed)
    }

    async fn read(&self, id: Uuid, now: Timestamp) -> Result<Option<Uuid>> {
        let rematch = store::rematches::find(&self.db.reader().await, id).await?;
        self.rematches.put(id, rematch, now);
        Ok(rematch)
    }
}
