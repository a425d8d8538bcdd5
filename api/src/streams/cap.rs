//! How many streams may be open at a time: for one session, from one address without a token, and in all.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use actix_web::http::StatusCode;
use domain::text::Text;
use uuid::Uuid;

use crate::error::{ApiError, ApiResult};

/// Those without a token share an address, and often a proxy: an address may have as many as so many sessions.
const SESSIONS_AN_ADDRESS: u32 = 8;

/// Whose streams are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A session.
    Session(Uuid),
    /// Somebody without a token.
    Address(IpAddr),
}

/// The places for streams.
#[derive(Debug)]
pub struct Places {
    each: u32,
    all: u32,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: u32,
    by: HashMap<Holder, u32>,
}

impl Places {
    /// So many for a session, and so many in all.
    #[must_use]
    pub fn new(each: u32, all: u32) -> Arc<Self> {
        Arc::new(Self { each, all, taken: Mutex::default() })
    }

    /// Takes a place until it is dropped.
    pub fn take(self: &Arc<Self>, holder: Holder) -> ApiResult<Place> {
        let most = match holder {
            Holder::Session(_) => self.each,
            Holder::Address(_) => self.each.saturating_mul(SESSIONS_AN_ADDRESS),
        };
        let mut taken = self.taken();
        if taken.by.get(&holder).is_some_and(|count| *count >= most) {
            return Err(too_many());
        }
        if taken.all >= self.all {
            return Err(ApiError::unavailable());
        }
        taken.all += 1;
        *taken.by.entry(holder).or_default() += 1;
        metrics::gauge!("telar_streams").set(f64::from(taken.all));
        drop(taken);
        Ok(Place { places: Arc::clone(self), holder })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place for one stream.
#[derive(Debug)]
pub struct Place {
    places: Arc<Places>,
    holder: Holder,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        taken.all = taken.all.saturating_sub(1);
        metrics::gauge!("telar_streams").set(f64::from(taken.all));
        if let Some(count) = taken.by.get_mut(&self.holder) {
            *count -= 1;
            if *count == 0 {
                taken.by.remove(&self.holder);
            }
        }
    }
}

fn too_many() -> ApiError {
    ApiError::new(
        StatusCode::TOO_MANY_REQUESTS,
        "too_many_streams",
        Text::new(
            "Too many streams are open already; close one, or watch everything by GET /v1/me/stream.",
            "Ya hay demasiados flujos abiertos; cierra uno, o síguelo todo con GET /v1/me/stream.",
        ),
    )
    .retry_after(5)
}
