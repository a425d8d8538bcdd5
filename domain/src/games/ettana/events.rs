//! Events as they are stored, hidden information included.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    board::{OCTAGONS, Octagons, Pair, TILES},
    components::{ActionCard, Colour, Face},
    designs::DesignId,
};
use crate::{
    game::{Nature, StoredEvent},
    seat::Seat,
};

/// A seat's throw of the number die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ettana::Throw)]
pub(crate) struct Throw {
    /// The seat that threw.
    pub(crate) seat: Seat,
    /// The number thrown.
    #[schema(minimum = 1, maximum = 6)]
    pub(crate) number: u8,
}

/// The result of both dice, and how it was obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ettana::Roll)]
pub struct Roll {
    /// The number die.
    #[schema(minimum = 1, maximum = 6)]
    pub number: u8,
    /// The colour die.
    pub face: Face,
    /// How the result was obtained.
    pub how: RollMethod,
}

/// How a result was obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ettana::How)]
pub enum RollMethod {
    /// Both were rolled.
    Rolled,
    /// The colour was chosen with a card, and the number rolled.
    Chosen,
    /// Both were rolled again with a card.
    Rerolled,
}

/// How a piece moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ettana::Gait)]
pub(crate) enum Gait {
    /// Step by step.
    Walk,
    /// A jump to a tile with the number on the die.
    Jump,
    /// With a *move* card.
    Card,
}

/// Why a seat may draw or swap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ettana::Means)]
pub(crate) enum Means {
    /// It came with the roll or the move.
    Free,
    /// It was bought with tokens.
    Bought,
    /// It is the effect of an action card.
    Card,
}

/// An event of Ettana.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    TableLaid { skeins: [Colour; OCTAGONS], tiles: [u8; TILES], reserve: [u8; 2] },
    StartRolled { throws: Vec<Throw> },
    TieRolled { throws: Vec<Throw> },
    StartDecided { seat: Seat },
    PlaceRerolled { seat: Seat, number: u8 },
    PieceSettled { seat: Seat, tile: u8 },
    HandDealt { seat: Seat, design: DesignId, card: ActionCard, tokens: u8 },
    TurnBegan { seat: Seat },
    DiceRolled { seat: Seat, roll: Roll },
    IncomePaid { tokens: Vec<u8> },
    IncomeWithheld { due: u8, supply: u8 },
    BlackShown { seat: Seat },
    PieceMoved { seat: Seat, path: Vec<u8>, tolls: Vec<Seat>, gait: Gait },
    MoveWaived { seat: Seat },
    SkeinsSwapped { seat: Seat, octagons: Pair, means: Means },
    ActionsReshuffled { cards: u8 },
    ActionDrawn { seat: Seat, card: ActionCard, means: Means },
    DesignDrawn { seat: Seat, design: DesignId, means: Means },
    DesignExchanged { seat: Seat, returned: DesignId, drawn: DesignId },
    CardPlayed { seat: Seat, card: ActionCard },
    ActionStolen { seat: Seat, from: Seat, card: ActionCard },
    TokensStolen { seat: Seat, from: Seat, tokens: u8 },
    SkeinReplaced { seat: Seat, octagon: u8, from: Colour, to: Colour },
    TileReplaced { seat: Seat, tile: u8, from: u8, to: u8 },
    TokensTaken { seat: Seat, tokens: u8 },
    WagerRolled { seat: Seat, named: u8, rolled: u8, tokens: u8 },
    TaxPaid { seats: Vec<Seat> },
    DesignClaimed { seat: Seat, design: DesignId, at: Octagons, points: u8 },
    GameEnded { winner: Seat },
}

impl StoredEvent for Event {
    fn nature(&self) -> Nature {
        match self {
            Self::TableLaid { .. }
            | Self::StartRolled { .. }
            | Self::TieRolled { .. }
            | Self::PlaceRerolled { .. }
            | Self::HandDealt { .. }
            | Self::DiceRolled { .. }
            | Self::ActionDrawn { .. }
            | Self::DesignDrawn { .. }
            | Self::DesignExchanged { .. }
            | Self::ActionStolen { .. }
            | Self::WagerRolled { .. } => Nature::Luck,
            Self::StartDecided { .. }
            | Self::PieceSettled { .. }
            | Self::TurnBegan { .. }
            | Self::IncomePaid { .. }
            | Self::IncomeWithheld { .. }
            | Self::BlackShown { .. }
            | Self::PieceMoved { .. }
            | Self::MoveWaived { .. }
            | Self::SkeinsSwapped { .. }
            | Self::ActionsReshuffled { .. }
            | Self::CardPlayed { .. }
            | Self::TokensStolen { .. }
            | Self::SkeinReplaced { .. }
            | Self::TileReplaced { .. }
            | Self::TokensTaken { .. }
            | Self::TaxPaid { .. }
            | Self::DesignClaimed { .. }
            | Self::GameEnded { .. } => Nature::Choice,
        }
    }
}
