//! Matches as they were last written down: who looks again at what has not changed gets the same bytes.

use domain::{seat::Seat, time::Timestamp};
use quick_cache::{Weighter, sync::Cache};
use uuid::Uuid;

use crate::http::Tagged;

/// Another replica may have changed a name: after this time we write it anew.
const FRESH_MILLIS: i64 = 10_000;
/// So many bytes are kept.
const BUDGET: u64 = 16 * 1024 * 1024;
const USUAL: u64 = 2_048;
/// What a page takes besides its bytes, about.
const FRAME: u64 = 256;

/// Pages by match and by the seat that looks; all who have none see the same.
#[derive(Debug)]
pub struct Pages {
    known: Cache<(Uuid, Option<Seat>), Page, Weight>,
}

/// What a page was made from: another page is the same as long as this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The version of the match.
    pub version: u64,
    /// How often names had changed.
    pub renames: u64,
    /// The rematch, if there is one.
    pub rematch: Option<Uuid>,
}

#[derive(Debug, Clone)]
struct Page {
    stamp: Stamp,
    written: Timestamp,
    json: Tagged,
}

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<(Uuid, Option<Seat>), Page> for Weight {
    fn weight(&self, _: &(Uuid, Option<Seat>), page: &Page) -> u64 {
        page.json.size() as u64 + FRAME
    }
}

impl Default for Pages {
    fn default() -> Self {
        let items = usize::try_from(BUDGET / USUAL).unwrap_or(usize::MAX);
        Self { known: Cache::with_weighter(items, BUDGET, Weight) }
    }
}

impl Pages {
    /// The page of a match for a seat, if it is still right.
    #[must_use]
    pub fn get(
        &self,
        id: Uuid,
        seat: Option<Seat>,
        stamp: Stamp,
        now: Timestamp,
    ) -> Option<Tagged> {
        let page = self.known.get(&(id, seat))?;
        let is_right = page.stamp == stamp && now.millis_since(page.written) < FRESH_MILLIS;
        is_right.then_some(page.json)
    }

    /// Remembers a page.
    pub fn put(&self, id: Uuid, seat: Option<Seat>, stamp: Stamp, now: Timestamp, json: Tagged) {
        self.known.insert((id, seat), Page { stamp, written: now, json });
    }
}
