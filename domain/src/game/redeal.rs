//! Other worlds that a viewer cannot tell from the real one.

use super::Game;
use crate::{chance::Chance, seat::Viewer};

/// Deals again what a viewer cannot know: for the secrecy law, and for bots that think about possible worlds.
pub trait Redeal: Game {
    /// Another history that `viewer` cannot tell from this one. It depends on what the viewer knows and on chance alone.
    fn redeal(
        start: &Self::State,
        log: &[Self::Event],
        viewer: Viewer,
        chance: &mut dyn Chance,
    ) -> Vec<Self::Event>;
}
