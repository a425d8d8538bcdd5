//! The rules of Telar's games and the life cycle of a match.
//!
//! Everything in this crate is pure and synchronous: no IO, no clock, no ambient randomness. Random numbers come from
//! [`chance`], the time from the caller. A state is the fold of a list of events.
//!
//! ```
//! use domain::{games, matches::{Command, Create, Match}, time::Timestamp, seat::Viewer};
//! use uuid::Uuid;
//!
//! let (ana, ben) = (Uuid::from_u128(1), Uuid::from_u128(2));
//! let qwinto = games::find("qwinto").expect("registered");
//! let create = Create::new(Uuid::from_u128(9), qwinto, 2, ana, [7; 32].into());
//! let opened = Match::create(create, Timestamp::from_micros(0)).expect("a valid match");
//! let started = opened.next
//!     .decide(&Command::Sit { player: ben, seat: None, entropy: None, invite_code: None }, Timestamp::from_micros(1))
//!     .expect("a free seat");
//! let m = started.next;
//! let seat = m.to_act().iter().next().expect("a seat to begin");
//! let moves = m.listing(seat, domain::text::Lang::En).moves;
//! assert_eq!(moves[0].label, "Roll the orange die");
//! assert!(m.view(Viewer::Seat(seat)).is_some());
//! ```

#![warn(missing_docs)]

pub mod bot;
pub mod chance;
pub mod demo;
pub mod erased;
pub mod game;
pub mod games;
pub mod luck;
pub mod matches;
pub mod outcome;
pub mod proof;
pub mod schema;
pub mod seat;
pub mod shape;
#[cfg(test)]
mod testing;
pub mod text;
pub mod time;
