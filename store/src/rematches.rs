//! The rematch of a finished match. There is at most one: the first proposal wins.

use domain::time::Timestamp;
use sea_orm::{ActiveValue::Set, EntityTrait, sea_query::OnConflict};
use uuid::Uuid;

use crate::{
    Connection, Db,
    entities::rematch::{ActiveModel, Entity},
    error::{Error, Result},
};

/// The rematch of a match, if there is one.
pub async fn find(db: &Db, match_id: Uuid) -> Result<Option<Uuid>> {
    let key = (db.lanes().of(match_id).column(), match_id);
    Ok(Entity::find_by_id(key).one(db).await?.map(|row| row.rematch_id))
}

/// Proposes an id for the rematch of a match, and returns the one that won.
pub async fn claim(db: &Db, match_id: Uuid, proposed: Uuid, now: Timestamp) -> Result<Uuid> {
    let row = ActiveModel {
        lane: Set(db.lanes().of(match_id).column()),
        match_id: Set(match_id),
        rematch_id: Set(proposed),
        created_at: Set(now.micros()),
    };
    Entity::insert(row)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(db)
        .await?;
    let claimed = find(db, match_id).await?;
    claimed.ok_or_else(|| Error::Failed("a rematch was removed while it was claimed".to_owned()))
}
