//! Pages of lists: `limit`, `cursor` and `wait`.

use std::time::Duration;

use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// How many entries a page has: 1 to 200, 50 if not said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(try_from = "u64")]
#[schema(value_type = u64, minimum = 1, maximum = 200, default = 50)]
pub struct Limit(u64);

impl Limit {
    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self(50)
    }
}

impl TryFrom<u64> for Limit {
    type Error = &'static str;

    fn try_from(number: u64) -> Result<Self, Self::Error> {
        if (1..=200).contains(&number) { Ok(Self(number)) } else { Err("limit is 1 to 200") }
    }
}

/// Where the next page begins: what `next` of the page before said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, example = "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10")]
pub struct Cursor(pub Uuid);

/// For how long a page may be waited for: 0 to 60 seconds, 0 if not said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(try_from = "u64")]
#[schema(value_type = u64, minimum = 0, maximum = 60, default = 0)]
pub struct Wait(u64);

impl Wait {
    /// The time.
    #[must_use]
    pub const fn get(self) -> Duration {
        Duration::from_secs(self.0)
    }
}

impl TryFrom<u64> for Wait {
    type Error = &'static str;

    fn try_from(seconds: u64) -> Result<Self, Self::Error> {
        if seconds <= 60 { Ok(Self(seconds)) } else { Err("wait is 0 to 60 seconds") }
    }
}
