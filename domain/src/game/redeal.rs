//! Other worlds that a viewer cannot tell from the real one.

use super::Game;
use crate::{chance::Chance, seat::Viewer};

/// Deals again what a viewer cannot know: for the secrecy law, and for bots that think about possible worlds.
pub trait Redeal: Game {
    /// Another history that `viewer` cannot tell from this one. It depends on what the viewer knows and on chance alone.
    /// `None` if none was found: in very long matches, the viewer may know too much for worlds that are drawn by chance.
    fn redeal(
        start: &Self::State,
        log: &[Self::Event],
        viewer: Viewer,
        chance: &mut dyn Chance,
    ) -> Option<Vec<Self::Event>>;
}
