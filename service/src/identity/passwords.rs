//! Passwords, hashed with Argon2id away from the threads that answer requests.

use std::sync::LazyLock;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::sync::Semaphore;

use crate::error::{Error, Result};

/// Hashing takes memory and a core; more at once would only make everybody wait longer.
static AT_ONCE: Semaphore = Semaphore::const_new(4);

/// Checked when there is no such player, so that the answer takes as long as if there were.
static NOBODY: LazyLock<String> =
    LazyLock::new(|| digest("nobody").expect("the default parameters are valid"));

fn digest(password: &str) -> Option<String> {
    Argon2::default().hash_password(password.as_bytes()).ok().map(|hash| hash.to_string())
}

async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let _turn = AT_ONCE.acquire().await.expect("the semaphore is never closed");
    tokio::task::spawn_blocking(work).await.map_err(|_| Error::Hashing)
}

/// What is stored of a password.
pub async fn hash(password: String) -> Result<String> {
    aside(move || digest(&password)).await?.ok_or(Error::Hashing)
}

/// Whether the password is the one that was stored; takes its time also when nothing was stored.
pub async fn verify(password: String, stored: Option<String>) -> Result<bool> {
    aside(move || {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| NOBODY.clone());
        let matches = PasswordHash::new(&stored).is_ok_and(|hash| {
            Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
        });
        known && matches
    })
    .await
}
