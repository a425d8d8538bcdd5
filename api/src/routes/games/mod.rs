//! Games: their rules, statistics, charts and leaderboards.

pub mod chart;
pub mod charts;
pub mod get;
pub mod leaderboard;
pub mod list;
pub mod stats;
