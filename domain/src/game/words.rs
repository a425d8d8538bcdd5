//! Moves and events in words, for people.

use super::Game;
use crate::{seat::Seat, text::Lang};

/// Moves and events in words.
pub trait Words: Game {
    /// A move in words. Labels of different legal moves differ.
    fn label(state: &Self::State, seat: Seat, mv: &Self::Move, lang: Lang) -> String;

    /// An event in words, as the viewer saw it.
    fn tell(event: &Self::EventView, lang: Lang) -> String;
}
