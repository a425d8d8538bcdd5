//! The public names of players, remembered for a minute.

use std::{
    collections::{BTreeSet, HashMap},
    sync::atomic::{AtomicU64, Ordering},
};

use domain::time::Timestamp;
use quick_cache::sync::Cache;
use sea_orm::{ColumnTrait, DatabaseConnection, DbErr, EntityTrait, QueryFilter};
use uuid::Uuid;

use crate::entities::player;

/// Another replica may have changed a name: after this time we look again.
const FRESH_MILLIS: i64 = 60_000;
const REMEMBERED: usize = 100_000;

/// Names by player.
#[derive(Debug)]
pub struct Names {
    db: DatabaseConnection,
    known: Cache<Uuid, (String, Timestamp)>,
    renames: AtomicU64,
}

impl Names {
    /// Names of the players in this store.
    #[must_use]
    pub fn new(db: DatabaseConnection) -> Self {
        Self { db, known: Cache::new(REMEMBERED), renames: AtomicU64::new(0) }
    }

    /// The names of these players; one who is gone has none.
    pub async fn of(
        &self,
        players: BTreeSet<Uuid>,
        now: Timestamp,
    ) -> Result<HashMap<Uuid, String>, DbErr> {
        let mut names = HashMap::with_capacity(players.len());
        let mut unknown = Vec::new();
        for id in players {
            match self.known.get(&id) {
                Some((name, seen)) if now.millis_since(seen) < FRESH_MILLIS => {
                    names.insert(id, name);
                }
                _ => unknown.push(id),
            }
        }
        if !unknown.is_empty() {
            let found = player::Entity::find().filter(player::Column::Id.is_in(unknown));
            for player in found.all(&self.db).await? {
                self.known.insert(player.id, (player.name.clone(), now));
                names.insert(player.id, player.name);
            }
        }
        Ok(names)
    }

    /// How often names have changed here: what was made with them before is out of date.
    #[must_use]
    pub fn renames(&self) -> u64 {
        self.renames.load(Ordering::Acquire)
    }

    /// Looks again the next time.
    pub fn forget(&self, player: Uuid) {
        self.known.remove(&player);
        self.renames.fetch_add(1, Ordering::Release);
    }
}
