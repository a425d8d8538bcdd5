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

    /// Waits until this much time has passed by this clock.
    pub async fn sleep(&self, duration: Duration) {
        match &self.0 {
            Source::System => tokio::time::sleep(duration).await,
            Source::Manual(now) => {
                let until = after(self.now(), duration);
                let woken = now.subscribe().wait_for(|now| *now >= until).await.map(drop);
                woken.expect("the sender is held by `self`");
            }
        }
    }
}

fn after(at: Timestamp, duration: Duration) -> Timestamp {
    let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(at.micros().saturating_add(micros))
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
        let mut sleep = Box::pin(clock.sleep(Duration::from_secs(2)));
        assert!((&mut sleep).now_or_never().is_none());
        clock.advance(Duration::from_secs(1));
        assert!((&mut sleep).now_or_never().is_none());
        clock.advance(Duration::from_secs(1));
        sleep.await;
        assert_eq!(clock.now().micros(), 3_000_000);
    }
}
