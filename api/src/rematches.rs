//! Which match follows upon a finished one: at most one does.

use domain::time::Timestamp;
use quick_cache::sync::Cache;
use sea_orm::{ActiveValue::Set, DatabaseConnection, DbErr, EntityTrait, sea_query::OnConflict};
use uuid::Uuid;

use crate::{clock, entities::rematch};

/// Another replica may have opened a rematch: after this time we look again.
const FRESH_MILLIS: i64 = 1_000;
const REMEMBERED: usize = 20_000;

/// Rematches by the match before.
#[derive(Debug)]
pub struct Rematches {
    db: DatabaseConnection,
    known: Cache<Uuid, (Option<Uuid>, Timestamp)>,
}

impl Rematches {
    /// Rematches in this store.
    #[must_use]
    pub fn new(db: DatabaseConnection) -> Self {
        Self { db, known: Cache::new(REMEMBERED) }
    }

    /// The match that follows upon one, if there is one.
    pub async fn of(&self, id: Uuid, now: Timestamp) -> Result<Option<Uuid>, DbErr> {
        match self.known.get(&id) {
            Some((Some(rematch), _)) => Ok(Some(rematch)),
            Some((None, seen)) if now.millis_since(seen) < FRESH_MILLIS => Ok(None),
            _ => self.look(id, now).await,
        }
    }

    /// The id of the match that follows upon one: whoever asks first says which.
    pub async fn claim(&self, id: Uuid, now: Timestamp) -> Result<Uuid, DbErr> {
        let wanted = clock::new_id(now);
        rematch::Entity::insert(rematch::ActiveModel {
            match_id: Set(id),
            rematch_id: Set(wanted),
            created_at: Set(now.micros()),
        })
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(&self.db)
        .await?;
        Ok(self.look(id, now).await?.unwrap_or(wanted))
    }

    async fn look(&self, id: Uuid, now: Timestamp) -> Result<Option<Uuid>, DbErr> {
        let row = rematch::Entity::find_by_id(id).one(&self.db).await?;
        let rematch = row.map(|row| row.rematch_id);
        self.known.insert(id, (rematch, now));
        Ok(rematch)
    }
}
