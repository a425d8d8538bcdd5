//! The clock, handed to everything that needs the time. Tests hand in one that they advance themselves.

use std::{sync::Arc, time::Duration};

use domain::time::Timestamp;
use time::OffsetDateTime;
use tokio::sync::watch;
use uuid::Uuid;

use crate::secret;

/// A source of time.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    System,
    Manual(Arc<watch::Sender<Timestamp>>),
}

impl Clock {
    /// The clock of the machine.
    #[must_use]
    pub const fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that shows this time until it is advanced.
    #[must_use]
    pub fn manual(at: Timestamp) -> Self {
        Self(Source::Manual(Arc::new(watch::Sender::new(at))))
    }

    /// The time now.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System => system_time(),
            Source::Manual(now) => *now.borrow(),
        }
    }

    /// The time now, as people write it.
    #[must_use]
    pub fn datetime(&self) -> OffsetDateTime {
        to_datetime(self.now())
    }

    /// A new id, ordered by time.
    #[must_use]
    pub fn new_id(&self) -> Uuid {
        new_id(self.now())
    }

    /// Moves a manual clock forward and wakes everybody who sleeps by it.
    ///
    /// # Panics
    /// On the clock of the machine, which nobody can advance.
    pub fn advance(&self, by: Duration) {
        let Source::Manual(now) = &self.0 else { panic!("only a manual clock can be advanced") };
        now.send_modify(|now| *now = after(*now, by));
    }

    /// Sets a manual clock back, as an administrator would.
    ///
    /// # Panics
    /// On the clock of the machine.
    pub fn set_back(&self, by: Duration) {
        let Source::Manual(now) = &self.0 else { panic!("only a manual clock can be set back") };
        let by = i64::try_from(by.as_micros()).expect("clocks are not that wrong");
        now.send_modify(|now| *now = Timestamp::from_micros(now.micros() - by));
    }

    /// Waits until this clock shows the time `at` or a later one, or has been set back to before `since`, the time from which `at` was
    /// worked out. What has to happen at a certain time should wait this way rather than for the rest of the time: the clock may be
    /// changed while the rest is being worked out.
    pub async fn sleep_until(&self, since: Timestamp, at: Timestamp) {
        match &self.0 {
            Source::System => {
                // Measured once: a machine whose clock is set back meanwhile must not sleep for longer.
                let now = self.now();
                if now >= since {
                    tokio::time::sleep(until(now, at)).await;
                }
            }
            Source::Manual(now) => {
                let is_over = |now: &Timestamp| *now >= at || *now < since;
                let woken = now.subscribe().wait_for(is_over).await.map(drop);
                woken.expect("the sender is held by `self`");
            }
        }
    }
}

/// The time that is left until `at`.
fn until(now: Timestamp, at: Timestamp) -> Duration {
    let left = at.micros().saturating_sub(now.micros());
    Duration::from_micros(u64::try_from(left).unwrap_or(0))
}

/// The time after this duration.
#[must_use]
pub fn after(at: Timestamp, duration: Duration) -> Timestamp {
    at.plus_micros(i64::try_from(duration.as_micros()).expect("nobody waits for 292,000 years"))
}

#[expect(clippy::disallowed_methods, reason = "this is where time comes in")]
fn system_time() -> Timestamp {
    let micros = OffsetDateTime::now_utc().unix_timestamp_nanos() / 1_000;
    Timestamp::from_micros(i64::try_from(micros).expect("the year is before 294,000"))
}

/// A new id, ordered by time.
#[must_use]
pub fn new_id(at: Timestamp) -> Uuid {
    uuid::Builder::from_unix_timestamp_millis(millis(at), &secret::bytes()).into_uuid()
}

/// The smallest id that could have been given at this time.
#[must_use]
pub fn first_id_at(at: OffsetDateTime) -> Uuid {
    // Nothing was created before 1970, so an earlier time selects the same as 1970 does.
    let millis = u64::try_from(at.unix_timestamp_nanos() / 1_000_000).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &[0; 10]).into_uuid()
}

fn millis(at: Timestamp) -> u64 {
    u64::try_from(at.micros() / 1_000).expect("no clock shows a time before 1970")
}

/// Whether people can write a time: in the years 0 to 9999.
#[must_use]
pub fn is_on_calendar(at: Timestamp) -> bool {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.micros()) * 1_000)
        .is_ok_and(|time| (0..=9_999).contains(&time.year()))
}

/// A recorded time as people write it.
#[must_use]
pub fn to_datetime(at: Timestamp) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.micros()) * 1_000)
        .expect("recorded times lie within the years that a clock can show")
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn sleepers_wake_when_a_manual_clock_has_been_advanced_far_enough() {
        let clock = Clock::manual(Timestamp::from_micros(1_000_000));
        let begun = clock.now();
        let at = after(begun, Duration::from_secs(2));
        let mut sleep = Box::pin(clock.sleep_until(begun, at));
        assert!((&mut sleep).now_or_never().is_none());
        clock.advance(Duration::from_secs(1));
        assert!((&mut sleep).now_or_never().is_none());
        clock.advance(Duration::from_secs(1));
        sleep.await;
        assert_eq!(clock.now().micros(), 3_000_000);
        assert!(clock.sleep_until(begun, at).now_or_never().is_some(), "that time has passed");
        let later = after(at, Duration::from_secs(1));
        let mut sleep = Box::pin(clock.sleep_until(at, later));
        assert!((&mut sleep).now_or_never().is_none());
        clock.set_back(Duration::from_secs(1));
        assert!((&mut sleep).now_or_never().is_some(), "nobody sleeps longer than was meant");
        let late = clock.sleep_until(at, later);
        assert!(late.now_or_never().is_some(), "it was set back before anybody slept");
    }

    #[tokio::test]
    async fn the_clock_of_the_machine_wakes_sleepers_too() {
        let clock = Clock::system();
        assert_eq!(until(clock.now(), Timestamp::from_micros(0)), Duration::ZERO);
        let now = clock.now();
        let begun = tokio::time::Instant::now();
        clock.sleep_until(now, after(now, Duration::from_millis(5))).await;
        assert!(begun.elapsed() >= Duration::from_millis(4));
    }
}
