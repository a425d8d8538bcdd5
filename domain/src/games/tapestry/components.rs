//! The cards (R1).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::text::Lang;

/// Copies of each combination of colour and body (R1.1).
const COPIES: usize = 4;
/// Cards in the game (R1.1).
pub(crate) const CARDS: usize = Colour::ALL.len() * Body::ALL.len() * COPIES;
/// Start cards (R3.1).
pub(crate) const START: usize = 4;
/// Slots of the draw area (R3.2).
pub const SLOTS: usize = 8;
/// Rows and columns of a complete tapestry (R2.1).
pub const SIDE: u8 = 8;
/// Cards of a complete tapestry (R2.1).
pub(crate) const COMPLETE: u8 = SIDE * SIDE;
/// Cards that a complete tapestry leaves over (R7.4).
pub(crate) const SPARE: usize = CARDS - COMPLETE as usize;

/// A colour, in the order of the rainbow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = tapestry::Colour)]
pub enum Colour {
    /// Red.
    Red,
    /// Orange.
    Orange,
    /// Yellow.
    Yellow,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Purple.
    Purple,
}

impl Colour {
    pub(crate) const ALL: [Self; 6] =
        [Self::Red, Self::Orange, Self::Yellow, Self::Green, Self::Blue, Self::Purple];

    /// Whether the two colours may touch (R1.3).
    #[must_use]
    pub const fn goes_with(self, other: Self) -> bool {
        (self as u8).abs_diff(other as u8) <= 1
    }

    /// The points of a discarded card of this colour (R9.1).
    pub(crate) const fn points(self) -> u8 {
        match self {
            Self::Green | Self::Yellow => 2,
            Self::Blue | Self::Orange => 1,
            Self::Red | Self::Purple => 0,
        }
    }

    /// The name; in Spanish, the form for a feminine noun such as `carta`.
    pub(crate) fn feminine(self, lang: Lang) -> &'static str {
        match self {
            Self::Red => lang.pick("red", "roja"),
            Self::Orange => lang.pick("orange", "naranja"),
            Self::Yellow => lang.pick("yellow", "amarilla"),
            Self::Green => lang.pick("green", "verde"),
            Self::Blue => lang.pick("blue", "azul"),
            Self::Purple => lang.pick("purple", "morada"),
        }
    }

    /// The name; in Spanish, the form for a masculine noun.
    fn masculine(self, lang: Lang) -> &'static str {
        match (self, lang) {
            (Self::Red, Lang::Es) => "rojo",
            (Self::Yellow, Lang::Es) => "amarillo",
            (Self::Purple, Lang::Es) => "morado",
            (colour, lang) => colour.feminine(lang),
        }
    }
}

/// A celestial body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = tapestry::Body)]
pub enum Body {
    /// Beats a comet.
    Asteroid,
    /// Beats a nebula.
    Comet,
    /// Beats an asteroid.
    Nebula,
}

impl Body {
    pub(crate) const ALL: [Self; 3] = [Self::Asteroid, Self::Comet, Self::Nebula];

    /// Whether a card with this body may take the place of one with the other (R1.4).
    pub(crate) const fn beats(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Asteroid, Self::Comet)
                | (Self::Comet, Self::Nebula)
                | (Self::Nebula, Self::Asteroid)
        )
    }
}

/// A card seen from the front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = tapestry::Card)]
pub struct Card {
    /// Its colour, on the back as well.
    pub colour: Colour,
    /// Its body, on all four sides of the front.
    pub body: Body,
}

impl Card {
    /// All cards of the game, unshuffled (R1.1).
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Colour::ALL
            .into_iter()
            .flat_map(|colour| Body::ALL.map(|body| Self { colour, body }))
            .flat_map(|card| [card; COPIES])
    }

    /// `red comet`, `cometa rojo`.
    #[must_use]
    pub fn name(self, lang: Lang) -> String {
        let (masculine, feminine) = (self.colour.masculine(lang), self.colour.feminine(lang));
        match self.body {
            Body::Asteroid => {
                lang.pick(format!("{masculine} asteroid"), format!("asteroide {masculine}"))
            }
            Body::Comet => lang.pick(format!("{masculine} comet"), format!("cometa {masculine}")),
            Body::Nebula => lang.pick(format!("{feminine} nebula"), format!("nebulosa {feminine}")),
        }
    }

    /// `the red comet`, `el cometa rojo`.
    pub(crate) fn the(self, lang: Lang) -> String {
        let article = match self.body {
            Body::Asteroid | Body::Comet => lang.pick("the", "el"),
            Body::Nebula => lang.pick("the", "la"),
        };
        format!("{article} {}", self.name(lang))
    }

    /// The Spanish name after a preposition that ends like `a` or `de`: `del cometa rojo`, `a la nebulosa roja`.
    pub(crate) fn after(self, preposition: &str) -> String {
        let article = match self.body {
            Body::Asteroid | Body::Comet => "l",
            Body::Nebula => " la",
        };
        format!("{preposition}{article} {}", self.name(Lang::Es))
    }
}
