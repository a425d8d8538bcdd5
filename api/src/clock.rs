//! The only place that reads the clock.

use domain::time::Timestamp;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::secret;

/// The time now.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this is where time comes in")]
pub fn now() -> Timestamp {
    let nanos = OffsetDateTime::now_utc().unix_timestamp_nanos();
    Timestamp::from_micros(i64::try_from(nanos / 1_000).unwrap_or(i64::MAX))
}

/// A new id, ordered by time.
#[must_use]
pub fn new_id(at: Timestamp) -> Uuid {
    let millis = u64::try_from(at.micros() / 1_000).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(millis, &secret::bytes()).into_uuid()
}

/// The smallest id that could have been given at this time.
#[must_use]
pub fn first_id_at(at: OffsetDateTime) -> Uuid {
    let millis = u64::try_from(at.unix_timestamp_nanos() / 1_000_000).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(millis, &[0; 10]).into_uuid()
}

/// A recorded time as people write it.
#[must_use]
pub fn to_datetime(at: Timestamp) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.micros()) * 1_000)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH)
}
