//! Pages of lists: `limit`, `cursor` and `wait`.

use std::{fmt, time::Duration};

use domain::shape::Bilingual;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The number of entries on a page: 1 to 200, by default 50.
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

    /// The same, as a number of rows.
    #[must_use]
    pub fn rows(self) -> usize {
        usize::try_from(self.0).expect("a limit is 200 at most")
    }

    /// One more than the limit: the extra row tells whether another page follows.
    #[must_use]
    pub const fn and_one_more(self) -> u64 {
        self.0 + 1
    }

    /// Cuts off the extra row of [`Self::and_one_more`]. Returns the page, and the cursor of the next one if there is one.
    pub fn page<T, C>(self, mut rows: Vec<T>, cursor: impl Fn(&T) -> C) -> (Vec<T>, Option<C>) {
        let is_last = rows.len() <= self.rows();
        rows.truncate(self.rows());
        let next = if is_last { None } else { rows.last().map(cursor) };
        (rows, next)
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self(50)
    }
}

impl TryFrom<u64> for Limit {
    type Error = Bilingual;

    fn try_from(number: u64) -> Result<Self, Self::Error> {
        if (1..=200).contains(&number) {
            Ok(Self(number))
        } else {
            Err(Bilingual::new(
                "`limit` must be a number from 1 to 200.",
                "`limit` debe ser un número de 1 a 200.",
            ))
        }
    }
}

/// Where the next page begins: `next` of the previous page. It is written in one way only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, example = "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10")]
pub struct Cursor(pub Uuid);

impl TryFrom<String> for Cursor {
    type Error = Bilingual;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let is_hyphenated = text.len() == uuid::fmt::Hyphenated::LENGTH;
        let id = text.parse().ok().filter(|_| is_hyphenated);
        id.map(Self).ok_or_else(invalid_cursor)
    }
}

fn invalid_cursor() -> Bilingual {
    Bilingual::new(
        "`cursor` must be `next` of the previous page.",
        "`cursor` debe ser el `next` de la página anterior.",
    )
}

/// The same for a list that is ordered by a number, such as a score or a time, and then by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct OrderCursor(pub i64, pub Uuid);

impl TryFrom<String> for OrderCursor {
    type Error = Bilingual;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let parts = text.split_once('_');
        let parts = parts.and_then(|(number, id)| Some((number.parse().ok()?, id.parse().ok()?)));
        let cursor = parts.map(|(number, id)| Self(number, id));
        cursor.filter(|cursor| cursor.to_string() == text).ok_or_else(invalid_cursor)
    }
}

impl fmt::Display for OrderCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.0, self.1)
    }
}

/// How long to wait for a page: 0 to 60 seconds, by default 0.
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
    type Error = Bilingual;

    fn try_from(seconds: u64) -> Result<Self, Self::Error> {
        if seconds <= 60 {
            Ok(Self(seconds))
        } else {
            Err(Bilingual::new(
                "`wait` must be a number of seconds from 0 to 60.",
                "`wait` debe ser un número de segundos de 0 a 60.",
            ))
        }
    }
}
