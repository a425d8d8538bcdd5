//! Points in time, as recorded with events. Nothing in this crate reads a clock.

/// Microseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

impl Timestamp {
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
