//! Creations that can be retried: the idempotency key claims an id before anything is created under it.

use std::time::Duration;

use domain::time::Timestamp;
use store::{Db, creations::Claim};
use uuid::Uuid;

use crate::{
    clock,
    error::{Error, Result},
    secret,
};

/// A request that can be retried under its idempotency key.
#[derive(Debug, Clone, Copy)]
pub struct KeyedRequest<'a> {
    /// The idempotency key, if the client sent one.
    pub key: Option<&'a str>,
    /// The body of the request.
    pub body: &'a [u8],
}

/// The id to create under. A retry with the same key and the same request gets the same id again.
pub async fn claim(
    db: &Db,
    scope: &str,
    key: Option<&str>,
    request: &[u8],
    now: Timestamp,
) -> Result<Uuid> {
    claim_for(db, scope, key, request, now, Duration::MAX).await
}

/// The same, but retries are accepted for a limited time only.
pub async fn claim_for(
    db: &Db,
    scope: &str,
    key: Option<&str>,
    request: &[u8],
    now: Timestamp,
    window: Duration,
) -> Result<Uuid> {
    let id = clock::new_id(now);
    let Some(key) = key else { return Ok(id) };
    let fingerprint = secret::hash(request);
    let claim = Claim { scope: scope.to_owned(), key: key.to_owned(), fingerprint, id, at: now };
    let first = store::creations::claim(db, claim).await?;
    let age = Duration::from_millis(now.millis_since(first.at).try_into().unwrap_or(0));
    if first.fingerprint == fingerprint && age < window {
        Ok(first.id)
    } else {
        Err(Error::KeyReused)
    }
}
