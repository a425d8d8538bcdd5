//! Delays that grow with every wrong password.
//!
//! Failures are counted per account *and* address: strangers cannot lock out the owner of an account, who uses another
//! address. An attempt counts when it begins, so that many parallel attempts gain nothing; a correct password clears the count.

use std::net::IpAddr;

use domain::time::Timestamp;
use parking_lot::Mutex;
use quick_cache::unsync::Cache;

use crate::secret;

/// The longest delay, in seconds.
const LONGEST: i64 = 15 * 60;
/// Failures are forgotten after this time without another one, in milliseconds.
const FORGOTTEN_MILLIS: i64 = 60 * 60 * 1_000;
/// The number of accounts and addresses whose failures are remembered.
const REMEMBERED: usize = 100_000;

/// Failed logins by account and address.
#[derive(Debug)]
pub struct LoginAttempts {
    /// The number of failures without a delay; 0 turns counting off.
    free: u32,
    failures: Mutex<Cache<[u8; 16], Failures>>,
}

#[derive(Debug, Clone, Copy)]
struct Failures {
    count: u32,
    last: Timestamp,
}

/// An attempt that has begun.
#[derive(Debug, Clone, Copy)]
pub struct LoginAttempt([u8; 16]);

/// An attempt came before the delay after earlier failures was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many wrong passwords; {seconds} seconds are left")]
pub struct TooManyFailures {
    /// How long to wait.
    pub seconds: u32,
}

impl LoginAttempts {
    /// Allows this many failures before delays begin; 0 allows any number.
    #[must_use]
    pub fn new(free: u32) -> Self {
        Self { free, failures: Mutex::new(Cache::new(REMEMBERED)) }
    }

    /// Begins an attempt at an account from an address; refused while a delay lasts.
    pub fn begin(
        &self,
        account: &str,
        from: IpAddr,
        now: Timestamp,
    ) -> Result<LoginAttempt, TooManyFailures> {
        let digest = secret::hash(format!("{from} {account}").as_bytes());
        let mut key = [0; 16];
        key.copy_from_slice(&digest[..16]);
        if self.free == 0 {
            return Ok(LoginAttempt(key));
        }
        let mut failures = self.failures.lock();
        let before = failures.get(&key).copied();
        let before = before.filter(|before| now.millis_since(before.last) < FORGOTTEN_MILLIS);
        let count = before.map_or(0, |before| before.count);
        if let Some(before) = before {
            let waited = now.millis_since(before.last);
            let left = self.delay(count) * 1_000 - waited;
            if left > 0 {
                let seconds =
                    u32::try_from((left + 999) / 1_000).expect("a delay is 15 minutes at most");
                return Err(TooManyFailures { seconds });
            }
        }
        failures.insert(key, Failures { count: count.saturating_add(1), last: now });
        Ok(LoginAttempt(key))
    }

    /// The password was right: forgets the failures before it.
    pub fn succeed(&self, attempt: LoginAttempt) {
        self.failures.lock().remove(&attempt.0);
    }

    /// The delay in seconds after this many failures: 1, 2, 4, … once the free ones are used up.
    fn delay(&self, failures: u32) -> i64 {
        match failures.checked_sub(self.free) {
            None => 0,
            Some(over) => LONGEST.min(1_i64 << over.min(30)),
        }
    }
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
    fn delays_grow_and_end_with_the_right_password() {
        let attempts = LoginAttempts::new(3);
        for _ in 0..3 {
            attempts.begin("ana", HERE, at(0)).unwrap();
        }
        assert_eq!(attempts.begin("ana", HERE, at(0)).unwrap_err().seconds, 1);
        attempts.begin("ana", HERE, at(1)).unwrap();
        assert!(attempts.begin("ana", HERE, at(2)).is_err());
        attempts.begin("ana", HERE, at(3)).unwrap();
        assert!(attempts.begin("ana", HERE, at(6)).is_err());
        let right = attempts.begin("ana", HERE, at(7)).unwrap();
        attempts.succeed(right);
        for _ in 0..3 {
            attempts.begin("ana", HERE, at(7)).unwrap();
        }
    }

    #[test]
    fn each_account_and_each_address_is_counted_on_its_own() {
        let attempts = LoginAttempts::new(1);
        attempts.begin("ana", HERE, at(0)).unwrap();
        assert!(attempts.begin("ana", HERE, at(0)).is_err());
        attempts.begin("ana", ELSEWHERE, at(0)).unwrap();
        attempts.begin("ben", HERE, at(0)).unwrap();
    }

    #[test]
    fn no_delay_is_longer_than_a_quarter_of_an_hour_and_an_hour_forgets() {
        let attempts = LoginAttempts::new(1);
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
        let attempts = LoginAttempts::new(0);
        for _ in 0..1_000 {
            attempts.begin("ana", HERE, at(0)).unwrap();
        }
    }
}
