//! The rematch of a finished match: there is at most one.

use std::time::Duration;

use domain::time::Timestamp;
use sea_orm::{ActiveValue::Set, DatabaseConnection, DbErr, EntityTrait, sea_query::OnConflict};
use store::entities::rematch;
use uuid::Uuid;

use crate::{cache::TtlCache, clock};

/// Another replica may have opened a rematch: after this time the store is asked again.
const LIFETIME: Duration = Duration::from_secs(1);
const ENTRIES: usize = 20_000;

/// Rematches by the match before.
#[derive(Debug)]
pub struct RematchCache {
    db: DatabaseConnection,
    rematches: TtlCache<Uuid, Option<Uuid>>,
}

impl RematchCache {
    /// The rematches in this store.
    #[must_use]
    pub fn new(db: DatabaseConnection) -> Self {
        Self { db, rematches: TtlCache::with_entries(ENTRIES, LIFETIME) }
    }

    /// The rematch of a match, if there is one.
    pub async fn of(&self, id: Uuid, now: Timestamp) -> Result<Option<Uuid>, DbErr> {
        match self.rematches.get(&id, now) {
            Some(rematch) => Ok(rematch),
            None => self.read(id, now).await,
        }
    }

    /// The id of the rematch of a match: the first caller chooses it.
    pub async fn claim(&self, id: Uuid, now: Timestamp) -> Result<Uuid, DbErr> {
        let proposed = clock::new_id(now);
        rematch::Entity::insert(rematch::ActiveModel {
            match_id: Set(id),
            rematch_id: Set(proposed),
            created_at: Set(now.micros()),
        })
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(&self.db)
        .await?;
        Ok(self.read(id, now).await?.unwrap_or(proposed))
    }

    async fn read(&self, id: Uuid, now: Timestamp) -> Result<Option<Uuid>, DbErr> {
        let row = rematch::Entity::find_by_id(id).one(&self.db).await?;
        let rematch = row.map(|row| row.rematch_id);
        self.rematches.put(id, rematch, now);
        Ok(rematch)
    }
}
