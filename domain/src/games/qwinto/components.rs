//! The sheet and the dice (R1).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    shape::Bilingual,
    text::{Lang, Text},
};

/// Boxes in a row.
pub const BOXES: usize = 9;
/// Failures that end the match (R4.2).
pub const MAX_FAILURES: u8 = 4;
/// What a failure costs (R5.4).
pub(crate) const FAILURE_POINTS: i64 = -5;

/// The colour of a die and of a row.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = qwinto::Colour)]
pub enum Colour {
    /// Orange.
    Orange,
    /// Yellow.
    Yellow,
    /// Purple.
    Purple,
}

impl Colour {
    /// All of them, from the top of the sheet.
    pub const ALL: [Self; 3] = [Self::Orange, Self::Yellow, Self::Purple];

    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    pub(crate) const fn name(self) -> Text {
        match self {
            Self::Orange => Text::new("orange", "naranja"),
            Self::Yellow => Text::new("yellow", "amarillo"),
            Self::Purple => Text::new("purple", "morado"),
        }
    }

    /// The name of the row of this colour.
    #[must_use]
    pub fn row(self, lang: Lang) -> &'static str {
        match self {
            Self::Orange => lang.pick("orange row", "fila naranja"),
            Self::Yellow => lang.pick("yellow row", "fila amarilla"),
            Self::Purple => lang.pick("purple row", "fila morada"),
        }
    }
}

/// The column of every box, row by row (R1.2).
const COLUMNS: [[u8; BOXES]; 3] =
    [[2, 3, 4, 6, 7, 8, 9, 10, 11], [1, 2, 3, 4, 5, 7, 8, 9, 10], [0, 1, 2, 3, 5, 6, 7, 8, 9]];

/// A column of three boxes and the row of its pentagon (R1.3).
pub(crate) struct BonusColumn {
    pub(crate) column: u8,
    pub(crate) pentagon: Colour,
    pub(crate) score_line: &'static str,
}

pub(crate) const BONUS_COLUMNS: [BonusColumn; 5] = [
    BonusColumn { column: 2, pentagon: Colour::Purple, score_line: "bonus_column_2" },
    BonusColumn { column: 3, pentagon: Colour::Orange, score_line: "bonus_column_3" },
    BonusColumn { column: 7, pentagon: Colour::Orange, score_line: "bonus_column_7" },
    BonusColumn { column: 8, pentagon: Colour::Yellow, score_line: "bonus_column_8" },
    BonusColumn { column: 9, pentagon: Colour::Purple, score_line: "bonus_column_9" },
];

/// The column of a box, 0 to 11 from the left.
#[must_use]
pub fn column_of(row: Colour, cell: usize) -> u8 {
    COLUMNS[row.index()][cell]
}

/// The box of a row in a column, if there is one.
pub(crate) fn box_in(row: Colour, column: u8) -> Option<usize> {
    COLUMNS[row.index()].iter().position(|other| *other == column)
}

/// Whether a box is a pentagon (R1.3).
#[must_use]
pub fn is_pentagon(row: Colour, cell: usize) -> bool {
    let column = column_of(row, cell);
    BONUS_COLUMNS.iter().any(|bonus| bonus.column == column && bonus.pentagon == row)
}

/// A set of dice, by colour. Written as a list without repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Colour>", into = "Vec<Colour>")]
pub struct Dice(u8);

impl Dice {
    /// The seven possible choices (R2.2).
    pub(crate) fn choices() -> impl Iterator<Item = Self> {
        (1..=0b111).map(Self)
    }

    pub(crate) const fn contains(self, colour: Colour) -> bool {
        self.0 & 1 << colour.index() != 0
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The colours in it.
    pub fn colours(self) -> impl Iterator<Item = Colour> {
        Colour::ALL.into_iter().filter(move |colour| self.contains(*colour))
    }
}

impl TryFrom<Vec<Colour>> for Dice {
    type Error = Bilingual;

    fn try_from(colours: Vec<Colour>) -> Result<Self, Bilingual> {
        colours.into_iter().try_fold(Self(0), |dice, colour| {
            if dice.contains(colour) {
                let name = colour.name();
                return Err(Bilingual::new(
                    format!("The {} die is named twice.", name.en),
                    format!("El dado {} aparece dos veces.", name.es),
                ));
            }
            Ok(Self(dice.0 | 1 << colour.index()))
        })
    }
}

impl From<Dice> for Vec<Colour> {
    fn from(dice: Dice) -> Self {
        dice.colours().collect()
    }
}

impl FromIterator<Colour> for Dice {
    fn from_iter<I: IntoIterator<Item = Colour>>(colours: I) -> Self {
        Self(colours.into_iter().fold(0, |bits, colour| bits | 1 << colour.index()))
    }
}
