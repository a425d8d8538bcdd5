//! The material (R1): skeins, dice, action cards, and prices.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::text::Text;

/// Tokens in the box (R1.5).
pub(crate) const TOKENS: u8 = 48;
/// Points that end the match (R8.1).
pub const POINTS_TO_WIN: u8 = 8;
/// Tokens of every seat at the start (R2.5).
pub(crate) const FIRST_TOKENS: u8 = 2;
/// The price of an action card (R5.7).
pub(crate) const ACTION_PRICE: u8 = 2;
/// The price of swapping any two skeins (R5.8).
pub(crate) const SWAP_PRICE: u8 = 3;
/// The price of a design (R5.9).
pub(crate) const DESIGN_PRICE: u8 = 3;
/// The most that *steal tokens* takes (R6.7).
pub(crate) const MOST_STOLEN: u8 = 2;
/// The tokens from *three tokens* (R6.12).
pub(crate) const THREE_TOKENS: u8 = 3;
/// Tiles of each number (R1.3).
pub(crate) const TILES_PER_NUMBER: u8 = 3;
/// Skeins of each colour on the board at the start (R1.2).
pub(crate) const SKEINS_ON_BOARD: usize = 5;
/// Copies of each action card (R1.6).
pub(crate) const COPIES: u8 = 3;

/// The colour of a skein.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ettana::Colour)]
pub enum Colour {
    /// Green.
    Green,
    /// Red.
    Red,
    /// Yellow.
    Yellow,
    /// Blue.
    Blue,
    /// Lilac.
    Lilac,
}

impl Colour {
    pub(crate) const ALL: [Self; 5] =
        [Self::Green, Self::Red, Self::Yellow, Self::Blue, Self::Lilac];

    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    pub(crate) const fn name(self) -> Text {
        match self {
            Self::Green => Text::new("green", "verde"),
            Self::Red => Text::new("red", "rojo"),
            Self::Yellow => Text::new("yellow", "amarillo"),
            Self::Blue => Text::new("blue", "azul"),
            Self::Lilac => Text::new("lilac", "lila"),
        }
    }
}

/// A face of the colour die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ettana::Face)]
pub enum Face {
    /// Green.
    Green,
    /// Red.
    Red,
    /// Yellow.
    Yellow,
    /// Blue.
    Blue,
    /// Lilac.
    Lilac,
    /// Black.
    Black,
}

impl Face {
    pub(crate) const ALL: [Self; 6] =
        [Self::Green, Self::Red, Self::Yellow, Self::Blue, Self::Lilac, Self::Black];

    /// The colour that pays; black pays nobody (R4.3).
    #[must_use]
    pub const fn colour(self) -> Option<Colour> {
        match self {
            Self::Green => Some(Colour::Green),
            Self::Red => Some(Colour::Red),
            Self::Yellow => Some(Colour::Yellow),
            Self::Blue => Some(Colour::Blue),
            Self::Lilac => Some(Colour::Lilac),
            Self::Black => None,
        }
    }

    pub(crate) const fn name(self) -> Text {
        match self.colour() {
            Some(colour) => colour.name(),
            None => Text::new("black", "negro"),
        }
    }
}

/// A kind of action card (R6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ettana::ActionCard)]
pub enum ActionCard {
    /// Move (R6.4).
    Move,
    /// Swap (R6.5).
    Swap,
    /// Steal a card (R6.6).
    StealAction,
    /// Steal tokens (R6.7).
    StealTokens,
    /// Replace (R6.8).
    Replace,
    /// Choose (R6.9).
    Choose,
    /// Design (R6.11).
    Design,
    /// Three tokens (R6.12).
    ThreeTokens,
    /// Gain tokens (R6.13).
    GainTokens,
    /// Roll again (R6.10).
    Reroll,
    /// Victory point (R6.14).
    VictoryPoint,
    /// Tax (R6.15).
    Tax,
}

impl ActionCard {
    pub(crate) const ALL: [Self; 12] = [
        Self::Move,
        Self::Swap,
        Self::StealAction,
        Self::StealTokens,
        Self::Replace,
        Self::Choose,
        Self::Design,
        Self::ThreeTokens,
        Self::GainTokens,
        Self::Reroll,
        Self::VictoryPoint,
        Self::Tax,
    ];

    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// The name of the card.
    #[must_use]
    pub const fn name(self) -> Text {
        match self {
            Self::Move => Text::new("Move", "Mover"),
            Self::Swap => Text::new("Swap", "Intercambiar"),
            Self::StealAction => Text::new("Steal a card", "Robar carta"),
            Self::StealTokens => Text::new("Steal tokens", "Robar tokens"),
            Self::Replace => Text::new("Replace", "Reemplazar"),
            Self::Choose => Text::new("Choose", "Elegir"),
            Self::Design => Text::new("Design", "Diseño"),
            Self::ThreeTokens => Text::new("Three tokens", "Tres tokens"),
            Self::GainTokens => Text::new("Gain tokens", "Ganar tokens"),
            Self::Reroll => Text::new("Roll again", "Lanzar de nuevo"),
            Self::VictoryPoint => Text::new("Victory point", "Punto de victoria"),
            Self::Tax => Text::new("Tax", "Impuesto"),
        }
    }
}

/// A multiset of action cards: a hand, the discards, or the deck, from which cards are drawn by chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Actions([u8; ActionCard::ALL.len()]);

impl Actions {
    /// The whole deck (R1.6).
    pub(crate) const ALL: Self = Self([COPIES; ActionCard::ALL.len()]);

    pub(crate) fn len(&self) -> u8 {
        self.0.iter().sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) const fn contains(&self, card: ActionCard) -> bool {
        self.0[card.index()] > 0
    }

    pub(crate) const fn add(&mut self, card: ActionCard) {
        self.0[card.index()] += 1;
    }

    pub(crate) const fn remove(&mut self, card: ActionCard) {
        self.0[card.index()] = self.0[card.index()].saturating_sub(1);
    }

    /// Every card, in the order of their kinds.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ActionCard> {
        let copies = self.0;
        ActionCard::ALL
            .into_iter()
            .flat_map(move |card| std::iter::repeat_n(card, copies[card.index()].into()))
    }
}
