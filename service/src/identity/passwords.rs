//! Passwords, hashed with Argon2id on threads that do not serve requests.

use std::sync::LazyLock;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::sync::Semaphore;

use crate::error::{Error, Result};

/// Limits concurrent hashing: each hash takes memory and a core.
static AT_ONCE: Semaphore = Semaphore::const_new(4);

/// Verified when an account does not exist, so that the response takes as long as if it did.
static DUMMY: LazyLock<String> =
    LazyLock::new(|| digest("nobody").expect("the default parameters are valid"));

fn digest(password: &str) -> Option<String> {
    Argon2::default().hash_password(password.as_bytes()).ok().map(|hash| hash.to_string())
}

async fn on_own_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let _permit = AT_ONCE.acquire().await.expect("the semaphore is never closed");
    tokio::task::spawn_blocking(work).await.map_err(|_| Error::Hashing)
}

/// The hash of a password, as it is stored.
pub async fn hash(password: String) -> Result<String> {
    on_own_thread(move || digest(&password)).await?.ok_or(Error::Hashing)
}

/// Whether a password matches the stored hash. Takes as long if there is none.
pub async fn verify(password: String, stored: Option<String>) -> Result<bool> {
    on_own_thread(move || {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| DUMMY.clone());
        let matches = PasswordHash::new(&stored).is_ok_and(|hash| {
            Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
        });
        known && matches
    })
    .await
}
