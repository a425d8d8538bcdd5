//! What is known about particular games. A game without a line here is played by its rules alone.

use domain::bot::BotLevel;

use crate::{
    Settings,
    knowledge::{Knowledge, RulesOnly},
};

mod brotando;
mod ettana;
mod qwinto;
mod tapestry;
mod trama;

/// What is known about a game.
struct Known {
    key: &'static str,
    knowledge: &'static dyn Knowledge,
    /// By level.
    settings: Levels,
}

type Levels = [Settings; BotLevel::ALL.len()];

/// The games that something is known about.
#[rustfmt::skip]
static KNOWN: &[Known] = &[
    Known { key: "qwinto", knowledge: &qwinto::Qwinto, settings: [
        plain(16, 20, 32), plain(80, 20, 32), known(12, 6, 12), known(60, 10, 16), known(800, 24, 24),
    ] },
    Known { key: "trama", knowledge: &trama::Trama, settings: [
        plain(12, 20, 32), plain(60, 80, 32), known(40, 80, 16), known(160, 80, 24), known(640, 80, 32),
    ] },
    Known { key: "tapestry", knowledge: &tapestry::Tapestry, settings: [
        known(8, 0, 8), known(16, 2, 12), known(60, 6, 16), known(150, 16, 16), known(400, 40, 24),
    ] },
    Known { key: "ettana", knowledge: &ettana::Ettana, settings: [
        plain(8, 10, 16), known(4, 0, 4), known(10, 3, 6), known(240, 6, 8), known(1200, 8, 12),
    ] },
    Known { key: "brotando", knowledge: &brotando::Brotando, settings: [
        plain(12, 6, 16), known(8, 1, 6), known(50, 3, 10), known(160, 3, 12), known(900, 4, 20),
    ] },
];

/// The levels of a game that nothing is known about.
const DEFAULTS: Levels = [
    plain(8, 20, 64),
    plain(40, 40, 64),
    plain(150, 60, 64),
    plain(500, 60, 64),
    plain(1500, 60, 64),
];

const fn plain(playouts: u32, horizon: u32, width: usize) -> Settings {
    Settings { playouts, horizon, width, knowledge: false }
}

const fn known(playouts: u32, horizon: u32, width: usize) -> Settings {
    Settings { knowledge: true, ..plain(playouts, horizon, width) }
}

pub(crate) fn knowledge(key: &str, wanted: bool) -> &'static dyn Knowledge {
    let known = KNOWN.iter().find(|known| known.key == key).filter(|_| wanted);
    known.map_or(&RulesOnly, |known| known.knowledge)
}

pub(crate) fn settings(key: &str, level: BotLevel) -> Settings {
    let known = KNOWN.iter().find(|known| known.key == key);
    known.map_or(&DEFAULTS, |known| &known.settings)[level as usize]
}
