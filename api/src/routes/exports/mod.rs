//! Many matches at once, as streams.

mod csv;
pub mod matches;
