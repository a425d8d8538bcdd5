//! What is known about particular games. A game without a line here is played by its rules alone.

use crate::{
    Level, Settings,
    knowledge::{Knowledge, RulesOnly},
};

/// What is known about a game.
struct Known {
    key: &'static str,
    knowledge: &'static dyn Knowledge,
    /// By level.
    settings: [Settings; Level::ALL.len()],
}

/// The games that something is known about.
static KNOWN: &[Known] = &[];

/// The levels of a game that nothing is known about.
const DEFAULTS: [Settings; Level::ALL.len()] = {
    const fn level(playouts: u32, horizon: u32) -> Settings {
        Settings { playouts, horizon, width: 64, knowledge: false }
    }
    [level(8, 20), level(40, 40), level(150, 60), level(500, 60), level(1500, 60)]
};

pub(crate) fn knowledge(key: &str, wanted: bool) -> &'static dyn Knowledge {
    let known = KNOWN.iter().find(|known| known.key == key).filter(|_| wanted);
    known.map_or(&RulesOnly, |known| known.knowledge)
}

pub(crate) fn settings(key: &str, level: Level) -> Settings {
    let known = KNOWN.iter().find(|known| known.key == key);
    known.map_or(&DEFAULTS, |known| &known.settings)[level as usize]
}
