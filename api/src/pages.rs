//! Matches as they were last written down: who looks again at what has not changed gets the same bytes.

use domain::{seat::Seat, time::Timestamp};
use uuid::Uuid;

use crate::{http::Tagged, kept::Kept};

/// Pages by match and by the seat that looks; all who have none see the same.
#[derive(Debug, Default)]
pub struct Pages(Kept<(Uuid, Option<Seat>), (Stamp, Tagged)>);

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
        let (kept, page) = self.0.get(&(id, seat), now)?;
        (kept == stamp).then_some(page)
    }

    /// Remembers a page.
    pub fn put(&self, id: Uuid, seat: Option<Seat>, stamp: Stamp, now: Timestamp, page: Tagged) {
        let bytes = page.size();
        self.0.put((id, seat), (stamp, page), bytes, now);
    }
}
