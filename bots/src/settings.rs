//! What the levels of play mean.

use std::fmt;

use domain::bot::BotLevel;

/// How a bot thinks. Levels are defined by playouts and knowledge, not by time: a level is equally strong on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How many times it plays a position on.
    pub playouts: u32,
    /// How many moves it plays on before it estimates the position.
    pub horizon: u32,
    /// How many moves it considers at most.
    pub width: usize,
    /// Whether it uses what is known about the game beyond its rules.
    pub knowledge: bool,
}

impl Settings {
    /// What a level means in a game.
    #[must_use]
    pub fn of(level: BotLevel, game: &str) -> Self {
        crate::games::settings(game, level)
    }
}

/// Such as `p60h20w32k`: the playouts, the horizon, the width, and whether it uses knowledge.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { playouts, horizon, width, knowledge } = self;
        write!(f, "p{playouts}h{horizon}w{width}{}", if *knowledge { "k" } else { "" })
    }
}
