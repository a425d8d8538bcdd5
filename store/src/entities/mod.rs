//! The tables except the log, which only `event_log` knows.

pub mod access_token;
pub mod board_entry;
pub mod board_rank;
pub mod creation;
pub mod erasure;
pub mod follower;
pub mod invitation;
pub mod match_result;
pub mod match_seat;
pub mod match_summary;
pub mod player;
pub mod player_day;
pub mod player_game;
pub mod player_pair;
pub mod presence;
pub mod projection;
pub mod rated_match;
pub mod refresh_token;
pub mod rematch;
pub mod session;
pub mod stat_cell;
pub mod storage_key;
pub mod webhook;
pub mod webhook_delivery;
