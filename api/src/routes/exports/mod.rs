//! Exports of many matches, as streams.

mod csv;
mod job;
pub mod matches;
