//! The replicas that share the store, and where they reach each other.
//!
//! A replica that runs counts up its beat. Nobody compares clocks: a replica whose beat an observer has not seen change for a while
//! is gone.

use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, sea_query::OnConflict};
use uuid::Uuid;

use crate::{
    Db,
    entities::replica::{ActiveModel, Column, Entity},
    error::Result,
};

/// A replica as it announced itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replica {
    /// Identifies the process.
    pub id: Uuid,
    /// Where other replicas reach it: a host and a port.
    pub address: String,
    /// Changes for as long as the replica runs.
    pub beat: i64,
}

/// Announces a replica, or that it still runs. Its address stays.
pub async fn announce(db: &Db, replica: &Replica) -> Result<()> {
    let row = ActiveModel {
        id: Set(replica.id),
        address: Set(replica.address.clone()),
        beat: Set(replica.beat),
    };
    Entity::insert(row)
        .on_conflict(OnConflict::column(Column::Id).update_column(Column::Beat).to_owned())
        .exec_without_returning(db)
        .await?;
    Ok(())
}

/// All replicas that have announced themselves and were not removed.
pub async fn all(db: &Db) -> Result<Vec<Replica>> {
    let rows = Entity::find().all(db).await?.into_iter();
    Ok(rows.map(|row| Replica { id: row.id, address: row.address, beat: row.beat }).collect())
}

/// Removes a replica, whatever its beat is.
pub async fn remove(db: &Db, id: Uuid) -> Result<()> {
    Entity::delete_by_id(id).exec(db).await?;
    Ok(())
}

/// Removes a replica that was killed, unless it has announced itself again.
pub async fn remove_dead(db: &Db, dead: &Replica) -> Result<()> {
    Entity::delete_many()
        .filter(Column::Id.eq(dead.id))
        .filter(Column::Beat.eq(dead.beat))
        .exec(db)
        .await?;
    Ok(())
}
