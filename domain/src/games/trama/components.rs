//! Colours, axes and quantities (R1).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::text::Text;

/// Rounds of a match (R2.2); in each a seat places one button.
pub(crate) const ROUNDS: usize = 4;
/// Cords that a seat draws at the start of a round (R2.3).
pub(crate) const HAND: usize = 5;
/// Cords that a seat collects in a round (R3.4).
pub(crate) const PICKS: u8 = 4;
/// Adjacent cards on the table, and as many interlaced ones (R2.1).
pub(crate) const CARDS_OF_A_KIND: usize = 4;
/// Buttons of each shape that a seat has (R1.3).
pub(crate) const BUTTONS_OF_A_SHAPE: u8 = 2;
/// Points of the shared objective (R6.5).
pub(crate) const OBJECTIVE_POINTS: i64 = 5;
/// Cords of a colour that an axis holds without a penalty (R6.6).
pub(crate) const FREE_OF_A_COLOUR: i64 = 3;

/// The colour of a cord.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = trama::Colour)]
pub enum Colour {
    /// Red.
    Red,
    /// Pink.
    Pink,
    /// Sky.
    Sky,
    /// Blue.
    Blue,
    /// Purple.
    Purple,
}

impl Colour {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Red, Self::Pink, Self::Sky, Self::Blue, Self::Purple];

    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    pub(crate) const fn name(self) -> Text {
        match self {
            Self::Red => Text::new("red", "rojo"),
            Self::Pink => Text::new("pink", "rosado"),
            Self::Sky => Text::new("sky", "celeste"),
            Self::Blue => Text::new("blue", "azul"),
            Self::Purple => Text::new("purple", "morado"),
        }
    }

    /// The name for several cords.
    pub(crate) const fn plural(self) -> Text {
        match self {
            Self::Red => Text::new("red", "rojos"),
            Self::Pink => Text::new("pink", "rosados"),
            Self::Sky => Text::new("sky", "celestes"),
            Self::Blue => Text::new("blue", "azules"),
            Self::Purple => Text::new("purple", "morados"),
        }
    }
}

/// One of the two directions of a loom (R1.1).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = trama::Axis)]
pub(crate) enum Axis {
    Vertical,
    Horizontal,
}

impl Axis {
    pub(crate) const ALL: [Self; 2] = [Self::Vertical, Self::Horizontal];

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Vertical => Self::Horizontal,
            Self::Horizontal => Self::Vertical,
        }
    }

    pub(crate) const fn name(self) -> Text {
        match self {
            Self::Vertical => Text::new("vertical", "vertical"),
            Self::Horizontal => Text::new("horizontal", "horizontal"),
        }
    }
}
