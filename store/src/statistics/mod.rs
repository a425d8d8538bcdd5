//! The tables of statistics. Every row belongs to a generation: one is read while a rebuild writes the next.
//!
//! This module stores and finds rows; what they mean is decided where matches are counted.

mod projection;
mod read;
mod results;
mod write;

pub use crate::entities::{
    board_entry::Model as BoardEntry, board_rank::Model as BoardRank,
    player_day::Model as PlayerDay, player_game::Model as PlayerGame,
    player_pair::Model as PlayerPair, player_result::Model as PlayerResult,
    stat_cell::Model as CellRow,
};
pub use projection::{
    Projection, advance, lock, new_generation, projection, remove_other_generations, try_lock,
};
pub use read::{
    CellFilter, ScoreRange, accounts_since, board_entries, board_entries_of, board_entry, cells,
    cells_in_ranges, count_entries, match_result, player_days, player_games, player_games_of,
    player_pairs,
};
pub use results::{
    last_end, last_results, rated_results, results_between, results_of_match, stretch_end,
};
pub use write::{AppendedRows, MatchResult, ReplacedRows, append, replace};
