//! Points in time, as recorded with events. Nothing in this crate reads a clock.

/// Microseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The end of the year 9999: no date after it can be written as RFC 3339 says.
    const LAST: i64 = 253_402_300_799_999_999;

    /// Whether a clock can have shown this: a time in the years 1970 to 9999.
    #[must_use]
    pub const fn is_plausible(self) -> bool {
        0 <= self.0 && self.0 <= Self::LAST
    }

    /// A point in time from microseconds since the Unix epoch.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the Unix epoch.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// This much later.
    #[must_use]
    pub const fn plus_micros(self, micros: i64) -> Self {
        Self(self.0.saturating_add(micros))
    }

    /// Milliseconds from `earlier` to `self`, zero if the order is reversed.
    #[must_use]
    pub const fn millis_since(self, earlier: Self) -> i64 {
        let micros = self.0.saturating_sub(earlier.0);
        if micros < 0 { 0 } else { micros / 1_000 }
    }
}
