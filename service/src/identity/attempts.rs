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
const REMEMBERED: usize = 100_000;

/// Failed log-ins by account and address.
#[derive(Debug)]
pub struct LoginAttempts {
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

/// An attempt came before the delay after earlier failures was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many wrong passwords; {seconds} seconds are left")]
pub struct TooManyFailures {
    /// How long to wait.
    pub seconds: u32,
}

impl LoginAttempts {
    /// Allows this many failures before delays begin; any number if it is 0.
    #[must_use]
    pub fn new(free: u32) -> Self {
        Self { free, failed: Mutex::new(Cache::new(REMEMBERED)) }
    }

    /// Begins an attempt at an account from an address; refused while a delay lasts.
    pub fn begin(
        &self,
        account: &str,
        from: IpAddr,
        now: Timestamp,
    ) -> Result<Attempt, TooManyFailures> {
        let digest = secret::hash(format!("{from} {account}").as_bytes());
        let mut key = [0; 16];
        key.copy_from_slice(&digest[..16]);
        if self.free == 0 {
            return Ok(Attempt(key));
        }
        let mut failed = self.failed.lock();
        let before = failed.get(&key).copied();
        let before = before.filter(|before| now.millis_since(before.last) < FORGOTTEN_MILLIS);
        let times = before.map_or(0, |before| before.times);
        if let Some(before) = before {
            let waited = now.millis_since(before.last);
            let left = self.delay(times) * 1_000 - waited;
            if left > 0 {
                let seconds =
                    u32::try_from((left + 999) / 1_000).expect("a delay is 15 minutes at most");
                return Err(TooManyFailures { seconds });
            }
        }
        failed.insert(key, Failed { times: times.saturating_add(1), last: now });
        Ok(Attempt(key))
    }

    /// The password was good: nothing happened.
    pub fn succeed(&self, attempt: Attempt) {
        self.failed.lock().remove(&attempt.0);
    }

    /// How many seconds have to pass after so many failures: 1, 2, 4, … once the free ones are used up.
    fn delay(&self, times: u32) -> i64 {
        match times.checked_sub(self.free) {
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
    fn delays_grow_and_end_with_a_good_password() {
        let attempts = LoginAttempts::new(3);
        for _ in 0..3 {
            attempts.begin("ana", HERE, at(0)).unwrap();
        }
        assert_eq!(attempts.begin("ana", HERE, at(0)).unwrap_err().seconds, 1);
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
