//! What is made from the log: statistics, ratings, leaderboards. A task in every replica follows the ordered feed; one of them
//! at a time takes a stretch of it in, in one transaction together with the position, so that after any crash everything is as
//! if it had been made anew.
//!
//! Nothing here may depend on anything else than the log and since when players have had accounts: otherwise a rebuild would
//! not give the same.

mod board;
mod book;
mod cell;
mod distribution;
mod feed;
mod follow;
mod period;
mod rating;
mod read;
mod rebuild;
mod record;
mod selection;
mod sketch;
mod tally;

pub use board::{ALL_TIME, BEST_SCORE, RATING, WINS, name as board_name, oriented, ranked};
pub use book::RatingChange;
pub use cell::{Cell, DURATION, SCORE, Table};
pub use distribution::{Distribution, Grain};
pub use domain::matches::Unrated;
pub use follow::{Step, follow, step};
pub use period::{
    ALL, Bucket, cover, date_of, day_of, month, number_of, parse as parse_period, season,
};
pub use rating::{Rating, rate};
pub use read::{BoardEntry, PlayerDay, PlayerPair, RatedMatch, Slice, Statistics};
pub use rebuild::{RebuildError, Rebuilt, rebuild};
pub use selection::{Counts, Points, Selection};
pub use tally::{Numbers, Tally};

/// The name of this projection.
const NAME: &str = "statistics";
