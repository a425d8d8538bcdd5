//! The cards (R2.1, R7).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    components::{COMPONENTS, WIND_COPIES},
    figures::Shape,
};
use crate::text::Text;

/// The figure of a growth card, by its index in `components.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub(crate) struct Figure(u8);

impl Figure {
    pub(crate) fn shape(self) -> &'static Shape {
        &COMPONENTS.shapes[usize::from(self.0)]
    }

    /// The figure of every growth card (R2.1).
    pub(crate) fn all_cards() -> Vec<Self> {
        let copies = COMPONENTS.copies.iter().zip(0..);
        copies.flat_map(|(copies, figure)| (0..*copies).map(move |_| Self(figure))).collect()
    }
}

impl TryFrom<u8> for Figure {
    type Error = String;

    fn try_from(index: u8) -> Result<Self, String> {
        let exists = usize::from(index) < COMPONENTS.shapes.len();
        exists.then_some(Self(index)).ok_or_else(|| format!("there is no figure {index}"))
    }
}

impl From<Figure> for u8 {
    fn from(figure: Figure) -> Self {
        figure.0
    }
}

/// The text of a wind card (R7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = brotando::Wind)]
pub enum Wind {
    /// At the end, every covered yellow sun pays again.
    ScoreYellow,
    /// At the end, the most expensive crossed line costs nothing.
    IgnoreLine,
    /// At any time, take six segments.
    TakeSix,
    /// At any time, look at the next three cards of your deck and put them in any order.
    ReorderDeck,
    /// On a day when you have passed a balance test, take four segments.
    BalanceFour,
    /// As the active seat, take the card that you select without an auction.
    TakeCard,
}

impl Wind {
    pub(crate) const ALL: [Self; 6] = [
        Self::ScoreYellow,
        Self::IgnoreLine,
        Self::TakeSix,
        Self::ReorderDeck,
        Self::BalanceFour,
        Self::TakeCard,
    ];

    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// The name of the card.
    #[must_use]
    pub const fn name(self) -> Text {
        match self {
            Self::ScoreYellow => Text::new("Score the yellow suns", "Puntúa los soles amarillos"),
            Self::IgnoreLine => Text::new("Ignore a crossed line", "Ignora una línea cruzada"),
            Self::TakeSix => Text::new("Take six segments", "Toma seis segmentos"),
            Self::ReorderDeck => Text::new("Reorder your deck", "Reordena tu mazo"),
            Self::BalanceFour => Text::new("Four for balance", "Cuatro por el equilibrio"),
            Self::TakeCard => Text::new("Take the card", "Toma la carta"),
        }
    }

    /// The text of every wind card (R2.1).
    pub(crate) fn all_cards() -> Vec<Self> {
        Self::ALL.into_iter().flat_map(|wind| [wind; WIND_COPIES]).collect()
    }
}

/// The back of a card, which everybody sees (R2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = brotando::Back)]
pub enum Back {
    /// A growth card.
    Growth,
    /// A wind card.
    Wind,
}

/// One of the cards that a seat is looking at, counted from 0 at the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(as = brotando::Nth, value_type = u8, minimum = 0, maximum = 2)]
pub struct PeekedCard(pub(crate) u8);

/// A card, with its face: a number for the figure, a name for the wind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Card {
    Growth(Figure),
    Wind(Wind),
}

impl Card {
    pub(crate) const fn back(self) -> Back {
        match self {
            Self::Growth(_) => Back::Growth,
            Self::Wind(_) => Back::Wind,
        }
    }

    /// The figure that everybody sees in the centre; wind stays face down (R3.1).
    pub(crate) const fn figure(self) -> Option<Figure> {
        match self {
            Self::Growth(figure) => Some(figure),
            Self::Wind(_) => None,
        }
    }
}
