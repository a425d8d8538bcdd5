//! Exports of many matches, as streams.

mod csv;
pub mod matches;
