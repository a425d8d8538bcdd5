//! Who is ahead, by how much, and why.

use super::Game;
use crate::outcome::Standings;

/// Places, scores and measures.
pub trait Score: Game {
    /// The standings now, with the declared score lines and measures.
    fn standings(state: &Self::State) -> Standings;
}
