//! Guessing passwords gets slower and slower.
//!
//! What counts is the account *and* the address that guesses: strangers cannot lock out the owner of an account, who comes from
//! elsewhere. An attempt counts when it begins, so that many at once are no way around; a good password clears the count.

use std::{net::IpAddr, sync::Mutex};

use domain::{text::Text, time::Timestamp};
use quick_cache::unsync::Cache;

use crate::{
    error::{ApiError, ApiResult},
    secret,
};

/// The longest delay, in seconds.
const LONGEST: i64 = 15 * 60;
/// Failures are forgotten after this time without another one, in milliseconds.
const FORGOTTEN_MILLIS: i64 = 60 * 60 * 1_000;
const REMEMBERED: usize = 100_000;

/// Who tries to log in, and how often they failed.
#[derive(Debug)]
pub struct Attempts {
    /// How many failures are free; nothing is counted if it is 0.
    free: u32,
    failed: Mutex<Cache<[u8; 16], Failed>>,
}

#[derive(Debug, Clone, Copy)]
struct Failed {
    times: u32,
    last: Timestamp,
}

/// An attempt that has begun.
#[derive(Debug, Clone, Copy)]
pub struct Attempt([u8; 16]);

impl Attempts {
    /// Allows this many failures before delays begin; any number if it is 0.
    #[must_use]
    pub fn new(free: u32) -> Self {
        Self { free, failed: Mutex::new(Cache::new(REMEMBERED)) }
    }

    /// Begins an attempt at an account from an address; refused while a delay lasts.
    pub fn begin(&self, account: &str, from: IpAddr, now: Timestamp) -> ApiResult<Attempt> {
        let digest = secret::hash(format!("{from} {account}").as_bytes());
        let mut key = [0; 16];
        key.copy_from_slice(&digest[..16]);
        if self.free == 0 {
            return Ok(Attempt(key));
        }
        let mut failed = self.failed.lock().map_err(|_| ApiError::internal())?;
        let before = failed.get(&key).copied();
        let before = before.filter(|before| now.millis_since(before.last) < FORGOTTEN_MILLIS);
        let times = before.map_or(0, |before| before.times);
        if let Some(before) = before {
            let waited = now.millis_since(before.last);
            let left = self.delay(times) * 1_000 - waited;
            if left > 0 {
                return Err(too_many(u32::try_from(left / 1_000 + 1).unwrap_or(u32::MAX)));
            }
        }
        failed.insert(key, Failed { times: times.saturating_add(1), last: now });
        Ok(Attempt(key))
    }

    /// The password was good: nothing happened.
    pub fn succeed(&self, attempt: Attempt) {
        if let Ok(mut failed) = self.failed.lock() {
            failed.remove(&attempt.0);
        }
    }

    /// How many seconds have to pass after so many failures: 1, 2, 4, … once the free ones are used up.
    fn delay(&self, times: u32) -> i64 {
        match times.checked_sub(self.free) {
            None => 0,
            Some(over) => LONGEST.min(1_i64 << over.min(30)),
        }
    }
}

fn too_many(seconds: u32) -> ApiError {
    ApiError::too_many(
        "too_many_failures",
        Text::new(
            "Too many wrong passwords from here; try again after `Retry-After` seconds.",
            "Demasiadas contraseñas equivocadas desde aquí; inténtalo pasados los segundos de `Retry-After`.",
        ),
        seconds,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const ELSEWHERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    #[test]
    fn delays_grow_and_end_with_a_good_password() {
        let attempts = Attempts::new(3);
        for _ in 0..3 {
            attempts.begin("ana", HERE, at(0)).unwrap();
        }
        assert_eq!(attempts.begin("ana", HERE, at(0)).unwrap_err().status(), 429);
        attempts.begin("ana", HERE, at(1)).unwrap();
        assert!(attempts.begin("ana", HERE, at(2)).is_err());
        attempts.begin("ana", HERE, at(3)).unwrap();
        assert!(attempts.begin("ana", HERE, at(6)).is_err());
        let good = attempts.begin("ana", HERE, at(7)).unwrap();
        attempts.succeed(good);
        for _ in 0..3 {
            attempts.begin("ana", HERE, at(7)).unwrap();
        }
    }

    #[test]
    fn who_guesses_elsewhere_or_another_account_is_another_matter() {
        let attempts = Attempts::new(1);
        attempts.begin("ana", HERE, at(0)).unwrap();
        assert!(attempts.begin("ana", HERE, at(0)).is_err());
        attempts.begin("ana", ELSEWHERE, at(0)).unwrap();
        attempts.begin("ben", HERE, at(0)).unwrap();
    }

    #[test]
    fn no_delay_is_longer_than_a_quarter_of_an_hour_and_an_hour_forgets() {
        let attempts = Attempts::new(1);
        let mut now = 0;
        for _ in 0..40 {
            now += LONGEST;
            attempts.begin("ana", HERE, at(now)).unwrap();
        }
        assert!(attempts.begin("ana", HERE, at(now + LONGEST - 1)).is_err());
        attempts.begin("ana", HERE, at(now + 3_600)).unwrap();
        assert!(attempts.begin("ana", HERE, at(now + 3_600)).is_err());
        attempts.begin("ana", HERE, at(now + 3_601)).unwrap();
    }

    #[test]
    fn zero_turns_it_off() {
        let attempts = Attempts::new(0);
        for _ in 0..1_000 {
            attempts.begin("ana", HERE, at(0)).unwrap();
        }
    }
}
