//! Requests with the same key, one after the other.

use tokio::sync::{Mutex, MutexGuard};

use crate::secret;

/// The number of locks. Requests with different keys rarely share one.
const LOCKS: usize = 64;

/// Lets requests with the same key wait for each other, on this replica.
#[derive(Debug)]
pub struct Turns([Mutex<()>; LOCKS]);

impl Default for Turns {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Mutex::default()))
    }
}

impl Turns {
    /// Waits until no other request with this key is being served.
    pub async fn take(&self, key: &str) -> MutexGuard<'_, ()> {
        let index = usize::from(secret::hash(key.as_bytes())[0]) % LOCKS;
        self.0[index].lock().await
    }
}
