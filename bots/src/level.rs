//! The levels of play.

use std::fmt;

/// How strong a bot is. Levels are defined by iterations and knowledge, not by time: a level is equally strong on every
/// machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Knows the rules.
    Novice,
    /// Thinks a little.
    Casual,
    /// Plays well.
    Club,
    /// Plays very well.
    Expert,
    /// As strong as it gets.
    Master,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Self; 5] = [Self::Novice, Self::Casual, Self::Club, Self::Expert, Self::Master];

    /// The id in JSON and on the command line.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Novice => "novice",
            Self::Casual => "casual",
            Self::Club => "club",
            Self::Expert => "expert",
            Self::Master => "master",
        }
    }

    /// The level with this id.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.id() == id)
    }

    /// What the level means in a game.
    #[must_use]
    pub fn settings(self, game: &str) -> Settings {
        crate::games::settings(game, self)
    }
}

/// How a bot thinks.
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

/// Such as `p60h20w32k`: the playouts, the horizon, the width, and whether it uses knowledge.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { playouts, horizon, width, knowledge } = self;
        write!(f, "p{playouts}h{horizon}w{width}{}", if *knowledge { "k" } else { "" })
    }
}
