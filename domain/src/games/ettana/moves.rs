//! The moves that a seat can make.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    board::{Octagons, Pair},
    components::{ActionCard, Colour, Face},
    designs::DesignId,
};
use crate::seat::Seat;

/// A move of Ettana. Octagons are numbered 0 to 24 and tiles 0 to 15, row by row.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = ettana::Move)]
pub enum Move {
    /// Place your piece before the first turn.
    Settle {
        /// A free tile with the number you rolled.
        #[schema(minimum = 0, maximum = 15)]
        tile: u8,
    },
    /// Roll both dice.
    Roll {},
    /// Accept the roll: everybody is paid and your actions begin.
    Collect {},
    /// Walk exactly as many steps as the number die shows.
    #[serde(rename = "move")]
    Walk {
        /// The tiles you step on, in order; the walk ends on the last one.
        #[schema(min_items = 1, max_items = 6)]
        path: Vec<u8>,
    },
    /// Instead of walking, jump to a tile with the number on the die.
    Jump {
        /// A free tile with that number.
        #[schema(minimum = 0, maximum = 15)]
        tile: u8,
    },
    /// Swap two of the four skeins around your piece, right after moving it.
    FreeSwap {
        /// Two octagons whose skeins differ in colour.
        #[schema(value_type = [u8; 2])]
        octagons: Pair,
    },
    /// Pay 2 tokens and draw an action card.
    BuyAction {},
    /// Pay 3 tokens and swap any two skeins on the board.
    BuySwap {
        /// Two octagons whose skeins differ in colour.
        #[schema(value_type = [u8; 2])]
        octagons: Pair,
    },
    /// Pay 3 tokens and draw a design.
    BuyDesign {},
    /// Play an action card from your hand.
    Play {
        /// The card and its effect.
        card: Play,
    },
    /// Claim a design from your hand that is on the board.
    Claim {
        /// The design.
        design: DesignId,
        /// The octagons that it covers. Without this, any place will do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<Vec<u8>>)]
        at: Option<Octagons>,
    },
    /// Put a design under the deck and draw another, instead of all other actions of the turn.
    ExchangeDesign {
        /// The design to put under the deck.
        design: DesignId,
    },
    /// End your turn.
    EndTurn {},
}

/// An action card and its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = ettana::Play)]
pub enum Play {
    /// Before the roll: name the colour and roll only the number die.
    Choose {
        /// The face of the colour die, black included.
        face: Face,
    },
    /// Before collecting: roll both dice again.
    Reroll {},
    /// Move to any free tile instead of moving by the die.
    Move {
        /// The tile.
        #[schema(minimum = 0, maximum = 15)]
        tile: u8,
    },
    /// Swap any two skeins on the board.
    Swap {
        /// Two octagons whose skeins differ in colour.
        #[schema(value_type = [u8; 2])]
        octagons: Pair,
    },
    /// Take a random action card from an opponent's hand.
    StealAction {
        /// The opponent.
        seat: Seat,
    },
    /// Take up to 2 tokens from an opponent.
    StealTokens {
        /// The opponent.
        seat: Seat,
    },
    /// The *replace* card: exchange a skein on the board for one from the reserve.
    ReplaceSkein {
        /// The octagon of the old skein.
        #[schema(minimum = 0, maximum = 24)]
        octagon: u8,
        /// The colour of the new one.
        colour: Colour,
    },
    /// The *replace* card: exchange a tile without a piece for one from the reserve.
    ReplaceTile {
        /// The old tile.
        #[schema(minimum = 0, maximum = 15)]
        tile: u8,
        /// The number of the new one.
        #[schema(minimum = 1, maximum = 6)]
        number: u8,
    },
    /// Draw a design.
    Design {},
    /// Take three tokens.
    ThreeTokens {},
    /// Name a number and roll the number die: if it shows at least that number, you get that many tokens.
    GainTokens {
        /// The number you name.
        #[schema(minimum = 1, maximum = 6)]
        number: u8,
    },
    /// Every opponent who has a token pays one to the supply.
    Tax {},
}

impl Play {
    /// The card that is played.
    pub(crate) const fn card(self) -> ActionCard {
        match self {
            Self::Choose { .. } => ActionCard::Choose,
            Self::Reroll {} => ActionCard::Reroll,
            Self::Move { .. } => ActionCard::Move,
            Self::Swap { .. } => ActionCard::Swap,
            Self::StealAction { .. } => ActionCard::StealAction,
            Self::StealTokens { .. } => ActionCard::StealTokens,
            Self::ReplaceSkein { .. } | Self::ReplaceTile { .. } => ActionCard::Replace,
            Self::Design {} => ActionCard::Design,
            Self::ThreeTokens {} => ActionCard::ThreeTokens,
            Self::GainTokens { .. } => ActionCard::GainTokens,
            Self::Tax {} => ActionCard::Tax,
        }
    }
}
