//! The ids that were claimed under idempotency keys.

use domain::time::Timestamp;
use sea_orm::{EntityTrait, IntoActiveModel, sea_query::OnConflict};
use uuid::Uuid;

use crate::{Db, Error, Result, entities::creation};

/// An id that a request claims under its key.
#[derive(Debug, Clone)]
pub struct Claim {
    /// What is created, and by whom: keys of different scopes do not meet.
    pub scope: String,
    /// The key.
    pub key: String,
    /// The hash of the request.
    pub fingerprint: [u8; 32],
    /// The id.
    pub id: Uuid,
    /// When it was claimed.
    pub at: Timestamp,
}

/// Claims an id under a key. Returns the first claim of that key: this one, or the one of an earlier request.
pub async fn claim(db: &Db, claim: Claim) -> Result<Claim> {
    let Claim { scope, key, fingerprint, id, at } = claim;
    let row = creation::Model {
        scope: scope.clone(),
        key: key.clone(),
        fingerprint: fingerprint.to_vec(),
        created_id: id,
        created_at: at.micros(),
    };
    creation::Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(db)
        .await?;
    let first = creation::Entity::find_by_id((scope.clone(), key.clone())).one(db).await?;
    let first = first.ok_or_else(|| Error::Failed(format!("a claim in {scope} vanished")))?;
    let fingerprint = first.fingerprint.try_into().map_err(|_| {
        Error::Failed(format!("the fingerprint of a claim in {scope} is not a SHA-256"))
    })?;
    let at = Timestamp::from_micros(first.created_at);
    Ok(Claim { scope, key, fingerprint, id: first.created_id, at })
}
