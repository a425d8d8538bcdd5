//! Players: registration, public profiles, statistics.

pub mod chart;
pub mod charts;
pub mod create;
pub mod get;
pub mod matches;
pub mod rating_history;
pub mod stats;
pub mod versus;
