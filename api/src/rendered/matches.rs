//! Rendered matches: a reader who looks again at what has not changed gets the same bytes.

use std::time::Duration;

use domain::{seat::Seat, time::Timestamp};
use service::cache::TtlCache;
use uuid::Uuid;

use crate::http::Tagged;

/// Names are shown, and another replica may have changed one: older pages are rendered again.
const LIFETIME: Duration = Duration::from_secs(10);
const BYTES: u64 = 16 * 1024 * 1024;
const USUAL_BYTES: u64 = 4_096;

/// Pages by match and seat of the reader; all readers without a seat see the same.
#[derive(Debug)]
pub struct MatchPageCache(TtlCache<(Uuid, Option<Seat>), (PageStamp, Tagged)>);

/// What a page was rendered from: it stays right as long as this is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageStamp {
    /// The version of the match.
    pub version: u64,
    /// The number of renames.
    pub renames: u64,
    /// The rematch, if there is one.
    pub rematch: Option<Uuid>,
}

impl Default for MatchPageCache {
    fn default() -> Self {
        Self(TtlCache::with_bytes(BYTES, USUAL_BYTES, LIFETIME))
    }
}

impl MatchPageCache {
    /// The page of a match for a seat, if it is still right.
    #[must_use]
    pub fn get(
        &self,
        id: Uuid,
        seat: Option<Seat>,
        stamp: PageStamp,
        now: Timestamp,
    ) -> Option<Tagged> {
        let (rendered_from, page) = self.0.get(&(id, seat), now)?;
        (rendered_from == stamp).then_some(page)
    }

    /// Keeps a page.
    pub fn put(
        &self,
        id: Uuid,
        seat: Option<Seat>,
        stamp: PageStamp,
        now: Timestamp,
        page: Tagged,
    ) {
        let bytes = page.size();
        self.0.put_bytes((id, seat), (stamp, page), bytes, now);
    }
}
