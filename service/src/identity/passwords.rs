//! Passwords, hashed with Argon2id on threads that do not serve requests.

use std::{
    net::IpAddr,
    sync::{Arc, LazyLock},
};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};

use crate::{
    bulkheads::Bulkhead,
    error::{Error, Result},
};

/// Verified when an account does not exist, so that the response takes as long as if it did.
static DUMMY: LazyLock<String> =
    LazyLock::new(|| digest("nobody").expect("the default parameters are valid"));

/// The hash of a password, as it is stored. It takes a core for a while, so a server uses [`Passwords`] instead.
#[must_use]
pub fn digest(password: &str) -> Option<String> {
    Argon2::default().hash_password(password.as_bytes()).ok().map(|hash| hash.to_string())
}

/// Hashes and verifies passwords. Each hash takes memory and a core, so addresses take turns.
#[derive(Debug)]
pub struct Passwords(Arc<Bulkhead>);

impl Passwords {
    /// Passwords that are hashed in this bulkhead.
    #[must_use]
    pub const fn new(bulkhead: Arc<Bulkhead>) -> Self {
        Self(bulkhead)
    }

    /// The hash of a password, as it is stored.
    pub async fn hash(&self, password: String, address: IpAddr) -> Result<String> {
        let turn = self.0.enter(address).await?;
        turn.work(move || digest(&password)).await?.ok_or(Error::Hashing)
    }

    /// Whether a password matches the stored hash. Takes as long if there is none.
    pub async fn verify(
        &self,
        password: String,
        stored: Option<String>,
        address: IpAddr,
    ) -> Result<bool> {
        let turn = self.0.enter(address).await?;
        let verify = move || {
            let known = stored.is_some();
            let stored = stored.unwrap_or_else(|| DUMMY.clone());
            let matches = PasswordHash::new(&stored).is_ok_and(|hash| {
                Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
            });
            known && matches
        };
        Ok(turn.work(verify).await?)
    }
}
