//! The registry: a new game is a folder here, its module and its line in `REGISTRY`. No other file lists games.
//!
//! Modules are declared outside the list because rustfmt does not find those that a macro declares.

use crate::erased::{AnyGame, Erased};

pub mod brotando;
pub mod ettana;
pub mod qwinto;
pub mod tapestry;
pub mod trama;

/// Every game that Telar plays.
#[rustfmt::skip]
static REGISTRY: &[&'static dyn AnyGame] = &[
    &Erased::<qwinto::Qwinto>::new(),
    &Erased::<trama::Trama>::new(),
    &Erased::<tapestry::Tapestry>::new(),
    &Erased::<ettana::Ettana>::new(),
    &Erased::<brotando::Brotando>::new(),
];

/// Every game that Telar plays, in the order in which they are listed.
pub fn all() -> impl Iterator<Item = &'static dyn AnyGame> {
    REGISTRY.iter().copied()
}

/// The game with this key.
#[must_use]
pub fn find(key: &str) -> Option<&'static dyn AnyGame> {
    all().find(|game| game.info().key == key)
}
