//! Rendered responses that are kept for the next reader.

mod matches;
mod statistics;

pub use matches::{MatchPageCache, PageStamp};
pub use statistics::{StatsCache, StatsEntry, StatsTag};
