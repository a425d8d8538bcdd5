//! Creations that can be retried: the idempotency key claims an id before anything is created under it.

use domain::time::Timestamp;
use sea_orm::{ActiveValue::Set, DatabaseConnection, DbErr, EntityTrait, sea_query::OnConflict};
use store::entities::creation;
use uuid::Uuid;

use crate::{
    clock,
    error::{Error, Result},
    secret,
};

/// The id to create under. A retry with the same key and the same request gets the same id again.
pub async fn claim(
    db: &DatabaseConnection,
    scope: &str,
    key: Option<&str>,
    request: &[u8],
    now: Timestamp,
) -> Result<Uuid> {
    let id = clock::new_id(now);
    let Some(key) = key else { return Ok(id) };
    let fingerprint = secret::hash(request).to_vec();
    creation::Entity::insert(creation::ActiveModel {
        scope: Set(scope.to_owned()),
        key: Set(key.to_owned()),
        fingerprint: Set(fingerprint.clone()),
        created_id: Set(id),
        created_at: Set(now.micros()),
    })
    .on_conflict(OnConflict::new().do_nothing().to_owned())
    .exec_without_returning(db)
    .await?;
    let claimed = creation::Entity::find_by_id((scope.to_owned(), key.to_owned())).one(db).await?;
    let claimed =
        claimed.ok_or_else(|| DbErr::RecordNotFound(format!("the claim of a key in {scope}")))?;
    if claimed.fingerprint == fingerprint { Ok(claimed.created_id) } else { Err(Error::KeyReused) }
}
