//! Games: their rules, statistics, charts and leaderboards.

mod board_reader;
pub mod chart;
pub mod charts;
pub mod get;
pub mod leaderboard;
pub mod list;
pub mod stats;
