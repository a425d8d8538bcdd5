//! The board (R1.1): 5×5 octagons with skeins, and between them a 4×4 grid of number tiles.

use serde::{Deserialize, Serialize};

use super::components::Colour;
use crate::shape::Bilingual;

/// Octagons in a row of the board.
pub const SIDE: u8 = 5;
/// Octagons of the board, numbered row by row.
pub const OCTAGONS: usize = 25;
/// Tiles in a row of the grid.
pub const GRID: u8 = 4;
/// Tiles of the grid, numbered row by row.
pub(crate) const TILES: usize = 16;

/// The numbers of all tiles.
pub(crate) fn tiles() -> impl Iterator<Item = u8> {
    0..GRID * GRID
}

/// The numbers of all octagons.
pub(crate) fn octagons() -> impl Iterator<Item = u8> {
    0..SIDE * SIDE
}

/// The four octagons that a tile touches.
pub(crate) const fn around(tile: u8) -> [u8; 4] {
    let first = tile / GRID * SIDE + tile % GRID;
    [first, first + 1, first + SIDE, first + SIDE + 1]
}

/// The tiles beside a tile, never diagonally (R5.2).
pub(crate) fn neighbours(tile: u8) -> impl Iterator<Item = u8> {
    let (row, column) = (tile / GRID, tile % GRID);
    [
        (row > 0).then(|| tile - GRID),
        (column > 0).then(|| tile - 1),
        (column + 1 < GRID).then(|| tile + 1),
        (row + 1 < GRID).then(|| tile + GRID),
    ]
    .into_iter()
    .flatten()
}

/// The name of an octagon: column letter and row, such as `C3`.
pub(crate) fn octagon_name(octagon: u8) -> String {
    format!("{}{}", char::from(b'A' + octagon % SIDE), octagon / SIDE + 1)
}

/// The name of a tile: row and column of the grid, such as `2-3`.
pub(crate) fn tile_name(tile: u8) -> String {
    format!("{}-{}", tile / GRID + 1, tile % GRID + 1)
}

/// The colour of the skein on every octagon.
pub(crate) type Skeins = [Colour; OCTAGONS];

/// Two octagons, in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "[u8; 2]", into = "[u8; 2]")]
pub struct Pair {
    /// The one with the lower number.
    pub one: u8,
    /// The other one.
    pub other: u8,
}

impl Pair {
    /// Two octagons.
    #[must_use]
    pub fn new(one: u8, other: u8) -> Self {
        Self { one: one.min(other), other: one.max(other) }
    }

    /// Every pair of these octagons.
    pub(crate) fn among(octagons: &[u8]) -> impl Iterator<Item = Self> {
        octagons.iter().enumerate().flat_map(move |(index, one)| {
            octagons[index + 1..].iter().map(move |other| Self::new(*one, *other))
        })
    }
}

impl From<[u8; 2]> for Pair {
    fn from([one, other]: [u8; 2]) -> Self {
        Self::new(one, other)
    }
}

impl From<Pair> for [u8; 2] {
    fn from(pair: Pair) -> Self {
        [pair.one, pair.other]
    }
}

/// A set of octagons. Written as an ascending list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub struct Octagons(pub(crate) u32);

impl Octagons {
    pub(crate) fn iter(self) -> impl Iterator<Item = u8> {
        octagons().filter(move |octagon| self.0 & 1 << octagon != 0)
    }
}

impl TryFrom<Vec<u8>> for Octagons {
    type Error = Bilingual;

    fn try_from(octagons: Vec<u8>) -> Result<Self, Bilingual> {
        octagons.into_iter().try_fold(Self(0), |set, octagon| {
            if usize::from(octagon) >= OCTAGONS {
                return Err(Bilingual::new(
                    format!("There is no octagon {octagon}: octagons are numbered from 0 to 24."),
                    format!("No existe el octágono {octagon}: los octágonos se numeran de 0 a 24."),
                ));
            }
            if set.0 & 1 << octagon != 0 {
                return Err(Bilingual::new(
                    format!("Octagon {octagon} is named twice."),
                    format!("El octágono {octagon} aparece dos veces."),
                ));
            }
            Ok(Self(set.0 | 1 << octagon))
        })
    }
}

impl From<Octagons> for Vec<u8> {
    fn from(set: Octagons) -> Self {
        set.iter().collect()
    }
}
