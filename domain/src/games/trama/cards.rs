//! All cards and their patterns (R1.4 to R1.6).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::components::Colour::{self, Blue, Pink, Purple, Red, Sky};
use crate::text::{Lang, Text};

/// How the two colours of a pattern are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = trama::Kind)]
pub enum PatternKind {
    /// An A and a B in neighbouring slots of one axis.
    Adjacent,
    /// An A that passes over one of two consecutive Bs and under the other.
    Interlaced,
}

impl PatternKind {
    /// The button that goes on cards of this kind (R5.2).
    pub(crate) const fn button(self) -> Button {
        match self {
            Self::Adjacent => Button::Round,
            Self::Interlaced => Button::Square,
        }
    }
}

/// The shape of a button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = trama::Button)]
pub enum Button {
    /// For adjacent cards.
    Round,
    /// For interlaced cards.
    Square,
}

impl Button {
    pub(crate) const fn name(self) -> Text {
        match self {
            Self::Round => Text::new("round", "redondo"),
            Self::Square => Text::new("square", "cuadrado"),
        }
    }
}

/// Two colours and how they are arranged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = trama::Pattern)]
pub struct Pattern {
    /// How they are arranged.
    pub kind: PatternKind,
    /// The first colour; in an interlaced pattern the one that passes over and under.
    pub a: Colour,
    /// The second colour; in an interlaced pattern the one that is crossed twice.
    pub b: Colour,
}

impl Pattern {
    /// The pattern in words.
    pub(crate) fn name(self, lang: Lang) -> String {
        let (a, b) = (self.a.name().get(lang), self.b.name().get(lang));
        match self.kind {
            PatternKind::Adjacent => {
                lang.pick(format!("{a} beside {b}"), format!("{a} junto a {b}"))
            }
            PatternKind::Interlaced => {
                lang.pick(format!("{a} interlaced with {b}"), format!("{a} entrelazado con {b}"))
            }
        }
    }
}

const fn adjacent(a: Colour, b: Colour) -> Pattern {
    Pattern { kind: PatternKind::Adjacent, a, b }
}

const fn interlaced(a: Colour, b: Colour) -> Pattern {
    Pattern { kind: PatternKind::Interlaced, a, b }
}

/// Declares an enum of cards together with what each card shows, so that the two cannot differ.
macro_rules! deck {
    ($(#[$meta:meta])* $name:ident { $($card:ident => $shown:expr,)+ } $shows:ident: $shown_type:ty) => {
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
        )]
        #[serde(rename_all = "snake_case")]
        $(#[$meta])*
        pub enum $name {
            $($card,)+
        }

        impl $name {
            pub(crate) const ALL: &'static [Self] = &[$(Self::$card,)+];

            /// What the card shows.
            pub(crate) const fn $shows(self) -> $shown_type {
                match self {
                    $(Self::$card => $shown,)+
                }
            }
        }
    };
}

deck! {
    /// A pattern card: its kind, then its colours A and B.
    #[schema(as = trama::Card)]
    Card {
        AdjacentRedPink => adjacent(Red, Pink),
        AdjacentRedSky => adjacent(Red, Sky),
        AdjacentRedBlue => adjacent(Red, Blue),
        AdjacentRedPurple => adjacent(Red, Purple),
        AdjacentPinkSky => adjacent(Pink, Sky),
        AdjacentPinkBlue => adjacent(Pink, Blue),
        AdjacentPinkPurple => adjacent(Pink, Purple),
        AdjacentSkyBlue => adjacent(Sky, Blue),
        AdjacentSkyPurple => adjacent(Sky, Purple),
        AdjacentBluePurple => adjacent(Blue, Purple),
        InterlacedRedPink => interlaced(Red, Pink),
        InterlacedRedSky => interlaced(Red, Sky),
        InterlacedPinkSky => interlaced(Pink, Sky),
        InterlacedPinkBlue => interlaced(Pink, Blue),
        InterlacedSkyBlue => interlaced(Sky, Blue),
        InterlacedSkyPurple => interlaced(Sky, Purple),
        InterlacedBluePurple => interlaced(Blue, Purple),
        InterlacedBlueRed => interlaced(Blue, Red),
        InterlacedPurpleRed => interlaced(Purple, Red),
        InterlacedPurplePink => interlaced(Purple, Pink),
    }
    pattern: Pattern
}

deck! {
    /// A shared objective: the colours of its adjacent pattern, then A and B of its interlaced one.
    #[schema(as = trama::ObjectiveCard)]
    Objective {
        RedPinkAndSkyPurple => [adjacent(Red, Pink), interlaced(Sky, Purple)],
        PinkSkyAndBlueRed => [adjacent(Pink, Sky), interlaced(Blue, Red)],
        SkyBlueAndPurplePink => [adjacent(Sky, Blue), interlaced(Purple, Pink)],
        BluePurpleAndRedSky => [adjacent(Blue, Purple), interlaced(Red, Sky)],
        PurpleRedAndPinkBlue => [adjacent(Purple, Red), interlaced(Pink, Blue)],
        RedSkyAndBluePurple => [adjacent(Red, Sky), interlaced(Blue, Purple)],
        PinkBlueAndPurpleRed => [adjacent(Pink, Blue), interlaced(Purple, Red)],
        SkyPurpleAndRedPink => [adjacent(Sky, Purple), interlaced(Red, Pink)],
        BlueRedAndPinkSky => [adjacent(Blue, Red), interlaced(Pink, Sky)],
        PurplePinkAndSkyBlue => [adjacent(Purple, Pink), interlaced(Sky, Blue)],
    }
    patterns: [Pattern; 2]
}

impl Card {
    /// The cards of a kind.
    pub(crate) fn of(kind: PatternKind) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |card| card.kind() == kind)
    }

    pub(crate) const fn kind(self) -> PatternKind {
        self.pattern().kind
    }
}
