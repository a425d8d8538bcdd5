//! Applications as the operator of the server manages them. Their secrets are shown once; only hashes are stored.

use std::time::Duration;

use domain::time::Timestamp;
use store::{
    Db,
    applications::{self, ApplicationSecret},
};
use uuid::Uuid;

use super::FORMAT;
use crate::{clock, error::Result, identity::ApplicationScopes, secret};

/// A new application.
#[derive(Debug)]
pub struct NewApplication {
    /// Its client id.
    pub id: Uuid,
    /// Its secret.
    pub secret: String,
}

/// A new secret of an application.
#[derive(Debug)]
pub struct Rotated {
    /// The secret.
    pub secret: String,
    /// Until when the one before it works.
    pub until: Timestamp,
}

/// Creates an application.
pub async fn create(
    db: &Db,
    name: &str,
    scopes: ApplicationScopes,
    now: Timestamp,
) -> Result<NewApplication> {
    let id = clock::new_id(now);
    let application = applications::Application {
        id,
        name: name.to_owned(),
        scopes: scopes.to_string(),
        created_at: now.micros(),
        revoked_at: None,
    };
    let (secret, row) = new_secret(id, now);
    applications::insert(db, application, row).await?;
    Ok(NewApplication { id, secret })
}

/// All applications, oldest first.
pub async fn list(db: &Db) -> Result<Vec<applications::Application>> {
    Ok(applications::list(db).await?)
}

/// Gives an application a new secret; nothing if there is no such application or it was revoked. The secret before it works for
/// a while, and older ones no longer do.
pub async fn rotate(
    db: &Db,
    id: Uuid,
    overlap: Duration,
    now: Timestamp,
) -> Result<Option<Rotated>> {
    let (secret, row) = new_secret(id, now);
    let until = clock::after(now, overlap);
    let rotated = applications::rotate(db, row, until).await?;
    Ok(rotated.then_some(Rotated { secret, until }))
}

/// Revokes an application for ever and ends the sessions of its players, and says whether there is such an application. The
/// players stay, with their matches.
pub async fn revoke(db: &Db, id: Uuid, now: Timestamp) -> Result<bool> {
    let exists = applications::revoke(db, id, now).await?;
    if exists {
        // After the revocation, so that no further ones are opened.
        applications::end_sessions(db, id, now).await?;
    }
    Ok(exists)
}

/// Ends the sessions of the players of an application, and says how many there were.
pub async fn end_sessions(db: &Db, id: Uuid, now: Timestamp) -> Result<u64> {
    Ok(applications::end_sessions(db, id, now).await?)
}

fn new_secret(application: Uuid, now: Timestamp) -> (String, ApplicationSecret) {
    let secret = FORMAT.generate();
    let row = ApplicationSecret {
        id: clock::new_id(now),
        application_id: application,
        secret_hash: secret::hash(secret.as_bytes()).to_vec(),
        created_at: now.micros(),
        expires_at: None,
    };
    (secret, row)
}
