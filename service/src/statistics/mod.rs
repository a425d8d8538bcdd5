//! Statistics, ratings and leaderboards: a projection of the log. A task in every replica follows the feed; one at a time counts
//! the matches that have ended, in one transaction together with the position. So after any crash the rows are the same as after
//! a rebuild.
//!
//! Everything here depends only on the log and on when players created their accounts. Otherwise a rebuild would give a
//! different result.
//!
//! Terms: a *record* is what is counted of one finished match. A *cell* holds the counts of a game in one period. A *tally* holds
//! the counts of a player. A *sketch* estimates how many different players there are. A *book* holds the rows that a batch of
//! records changes.

mod board;
mod book;
mod cell;
mod distribution;
mod ended;
mod follow;
mod form;
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
pub use cell::{Cell, DURATION, SCORE, SeatWins};
pub use distribution::{Distribution, Grain};
pub use domain::matches::Unrated;
pub use follow::{follow, step, step_in_stretches};
pub use period::{
    ALL, Bucket, cover, date_of, day_of, month, number_of, parse as parse_period, season,
};
pub use rating::{Rating, rate};
pub use read::{RatedMatch, Statistics};
pub use rebuild::{RebuildError, Rebuilt, rebuild};
pub use selection::{Counts, Points, Selection};
pub use store::statistics::{BoardEntry, CellFilter, PlayerDay, PlayerPair};
pub use tally::{Numbers, Tally};
