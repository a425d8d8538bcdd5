//! Creations that can be retried: the key claims an id before anything is created under it.

use domain::time::Timestamp;
use sea_orm::{ActiveValue::Set, EntityTrait, sea_query::OnConflict};
use uuid::Uuid;

use super::IdempotencyKey;
use crate::{
    app::App,
    clock,
    entities::creation,
    error::{ApiError, ApiResult},
    secret,
};

/// The id to create under. A retry with the same key and the same request gets the same id again.
pub async fn claim(
    app: &App,
    scope: &str,
    key: &IdempotencyKey,
    request: &[u8],
    now: Timestamp,
) -> ApiResult<Uuid> {
    let id = clock::new_id(now);
    let Some(key) = &key.0 else { return Ok(id) };
    let fingerprint = secret::hash(request).to_vec();
    creation::Entity::insert(creation::ActiveModel {
        scope: Set(scope.to_owned()),
        key: Set(key.clone()),
        fingerprint: Set(fingerprint.clone()),
        created_id: Set(id),
        created_at: Set(now.micros()),
    })
    .on_conflict(OnConflict::new().do_nothing().to_owned())
    .exec_without_returning(&app.db)
    .await?;
    let claimed = creation::Entity::find_by_id((scope.to_owned(), key.clone()))
        .one(&app.db)
        .await?
        .ok_or_else(ApiError::internal)?;
    if claimed.fingerprint == fingerprint {
        Ok(claimed.created_id)
    } else {
        Err(ApiError::key_reused())
    }
}
