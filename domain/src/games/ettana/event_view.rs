//! What each viewer may see of an event: everything except the cards that others are dealt, draw, exchange or steal (R1.8).

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Ettana,
    board::{OCTAGONS, Octagons, Pair, TILES},
    components::{ActionCard, Colour},
    designs::DesignId,
    events::{Event, Gait, Means, Roll, Throw},
};
use crate::{
    game::ShowEvent,
    seat::{Seat, Viewer},
};

/// An event of Ettana as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = ettana::Event)]
pub(crate) enum EventView {
    /// Skeins and tiles were laid out.
    TableLaid {
        /// The skeins on the octagons, row by row.
        #[schema(min_items = 25, max_items = 25)]
        skeins: [Colour; OCTAGONS],
        /// The numbers of the tiles, row by row.
        #[schema(min_items = 16, max_items = 16)]
        tiles: [u8; TILES],
        /// The numbers of the two tiles set aside.
        #[schema(min_items = 2, max_items = 2)]
        reserve: [u8; 2],
    },
    /// Every seat threw the number die: for the tile of its piece, and to decide who begins.
    StartRolled {
        /// One throw per seat.
        throws: Vec<Throw>,
    },
    /// The tied seats threw again, only to decide who begins.
    TieRolled {
        /// One throw for each of them.
        throws: Vec<Throw>,
    },
    /// It was decided who begins.
    StartDecided {
        /// The seat.
        seat: Seat,
    },
    /// No tile with a seat's number was free, so it threw again.
    PlaceRerolled {
        /// The seat.
        seat: Seat,
        /// The new number.
        #[schema(minimum = 1, maximum = 6)]
        number: u8,
    },
    /// A piece was placed.
    PieceSettled {
        /// The seat.
        seat: Seat,
        /// The tile.
        #[schema(minimum = 0, maximum = 15)]
        tile: u8,
    },
    /// A seat was dealt its first cards and tokens.
    HandDealt {
        /// The seat.
        seat: Seat,
        /// The design, if the viewer may see it.
        #[serde(skip_serializing_if = "Option::is_none")]
        design: Option<DesignId>,
        /// The action card, if the viewer may see it; everybody sees a victory point.
        #[serde(skip_serializing_if = "Option::is_none")]
        card: Option<ActionCard>,
        /// The number of tokens.
        #[schema(minimum = 0, maximum = 48)]
        tokens: u8,
    },
    /// A turn began.
    TurnBegan {
        /// The seat.
        seat: Seat,
    },
    /// The dice were rolled or chosen.
    DiceRolled {
        /// The seat that rolled.
        seat: Seat,
        /// The result.
        roll: Roll,
    },
    /// The rolled colour paid.
    IncomePaid {
        /// The tokens of each seat, in seat order.
        tokens: Vec<u8>,
    },
    /// The supply could not pay everybody, so nobody was paid.
    IncomeWithheld {
        /// The number of tokens due.
        #[schema(minimum = 0, maximum = 16)]
        due: u8,
        /// The number of tokens in the supply.
        #[schema(minimum = 0, maximum = 48)]
        supply: u8,
    },
    /// Black was rolled: nobody is paid, and the seat draws an action card, if there is one.
    BlackShown {
        /// The seat that rolled.
        seat: Seat,
    },
    /// A piece moved.
    PieceMoved {
        /// The seat.
        seat: Seat,
        /// The tiles it stepped on; it ends on the last one.
        path: Vec<u8>,
        /// The seats that were paid a toll of one token each.
        tolls: Vec<Seat>,
        /// How it moved.
        gait: Gait,
    },
    /// A piece had nowhere to go, so it did not move.
    MoveWaived {
        /// The seat.
        seat: Seat,
    },
    /// Two skeins were swapped.
    SkeinsSwapped {
        /// The seat that swapped them.
        seat: Seat,
        /// Their octagons.
        #[schema(value_type = [u8; 2])]
        octagons: Pair,
        /// Whether it was free, bought or due to a card.
        means: Means,
    },
    /// The discards became the new action deck.
    ActionsReshuffled {
        /// The number of them.
        #[schema(minimum = 1, maximum = 36)]
        cards: u8,
    },
    /// An action card was drawn.
    ActionDrawn {
        /// The seat that drew it.
        seat: Seat,
        /// The card, if the viewer may see it; everybody sees a victory point.
        #[serde(skip_serializing_if = "Option::is_none")]
        card: Option<ActionCard>,
        /// Whether it was free, bought or due to a card.
        means: Means,
    },
    /// A design was drawn.
    DesignDrawn {
        /// The seat that drew it.
        seat: Seat,
        /// The design, if the viewer may see it.
        #[serde(skip_serializing_if = "Option::is_none")]
        design: Option<DesignId>,
        /// Whether it was free, bought or due to a card.
        means: Means,
    },
    /// A design went under the deck and another was drawn.
    DesignExchanged {
        /// The seat that exchanged it.
        seat: Seat,
        /// The design put under the deck, if the viewer may see it.
        #[serde(skip_serializing_if = "Option::is_none")]
        returned: Option<DesignId>,
        /// The design drawn, if the viewer may see it.
        #[serde(skip_serializing_if = "Option::is_none")]
        drawn: Option<DesignId>,
    },
    /// An action card was played and discarded; its effects follow as further events.
    CardPlayed {
        /// The seat that played it.
        seat: Seat,
        /// The card.
        card: ActionCard,
    },
    /// A random action card was stolen.
    ActionStolen {
        /// The thief.
        seat: Seat,
        /// The seat that lost it.
        from: Seat,
        /// The card, if the viewer is one of the two.
        #[serde(skip_serializing_if = "Option::is_none")]
        card: Option<ActionCard>,
    },
    /// Tokens were stolen.
    TokensStolen {
        /// The thief.
        seat: Seat,
        /// The seat that lost it.
        from: Seat,
        /// The number of them.
        #[schema(minimum = 1, maximum = 2)]
        tokens: u8,
    },
    /// A skein was exchanged for one from the reserve.
    SkeinReplaced {
        /// The seat that played the card.
        seat: Seat,
        /// The place.
        #[schema(minimum = 0, maximum = 24)]
        octagon: u8,
        /// The old colour.
        from: Colour,
        /// The new colour.
        to: Colour,
    },
    /// A tile was exchanged for one from the reserve.
    TileReplaced {
        /// The seat that played the card.
        seat: Seat,
        /// The place.
        #[schema(minimum = 0, maximum = 15)]
        tile: u8,
        /// The old number.
        #[schema(minimum = 1, maximum = 6)]
        from: u8,
        /// The new number.
        #[schema(minimum = 1, maximum = 6)]
        to: u8,
    },
    /// A seat took tokens from the supply with a card.
    TokensTaken {
        /// The seat.
        seat: Seat,
        /// The number of them.
        #[schema(minimum = 1, maximum = 3)]
        tokens: u8,
    },
    /// A seat named a number and rolled for that many tokens.
    WagerRolled {
        /// The seat.
        seat: Seat,
        /// The number named.
        #[schema(minimum = 1, maximum = 6)]
        named: u8,
        /// The number rolled.
        #[schema(minimum = 1, maximum = 6)]
        rolled: u8,
        /// The tokens won.
        #[schema(minimum = 0, maximum = 6)]
        tokens: u8,
    },
    /// Opponents paid a tax of one token each to the supply.
    TaxPaid {
        /// The seats that paid.
        seats: Vec<Seat>,
    },
    /// A design on the board was claimed.
    DesignClaimed {
        /// The seat that claimed it.
        seat: Seat,
        /// The design.
        design: DesignId,
        /// The octagons that it covers.
        #[schema(value_type = Vec<u8>)]
        at: Octagons,
        /// Its points.
        #[schema(minimum = 1, maximum = 3)]
        points: u8,
    },
    /// A seat reached 8 points, which ended the match.
    GameEnded {
        /// The seat.
        winner: Seat,
    },
}

impl ShowEvent for Ettana {
    fn event_view(event: &Event, viewer: Viewer) -> EventView {
        match event.clone() {
            Event::TableLaid { skeins, tiles, reserve } => {
                EventView::TableLaid { skeins, tiles, reserve }
            }
            Event::StartRolled { throws } => EventView::StartRolled { throws },
            Event::TieRolled { throws } => EventView::TieRolled { throws },
            Event::StartDecided { seat } => EventView::StartDecided { seat },
            Event::PlaceRerolled { seat, number } => EventView::PlaceRerolled { seat, number },
            Event::PieceSettled { seat, tile } => EventView::PieceSettled { seat, tile },
            Event::HandDealt { seat, design, card, tokens } => EventView::HandDealt {
                seat,
                design: viewer.sees(seat).then_some(design),
                card: drawn(viewer, seat, card),
                tokens,
            },
            Event::TurnBegan { seat } => EventView::TurnBegan { seat },
            Event::DiceRolled { seat, roll } => EventView::DiceRolled { seat, roll },
            Event::IncomePaid { tokens } => EventView::IncomePaid { tokens },
            Event::IncomeWithheld { due, supply } => EventView::IncomeWithheld { due, supply },
            Event::BlackShown { seat } => EventView::BlackShown { seat },
            Event::PieceMoved { seat, path, tolls, gait } => {
                EventView::PieceMoved { seat, path, tolls, gait }
            }
            Event::MoveWaived { seat } => EventView::MoveWaived { seat },
            Event::SkeinsSwapped { seat, octagons, means } => {
                EventView::SkeinsSwapped { seat, octagons, means }
            }
            Event::ActionsReshuffled { cards } => EventView::ActionsReshuffled { cards },
            Event::ActionDrawn { seat, card, means } => {
                EventView::ActionDrawn { seat, card: drawn(viewer, seat, card), means }
            }
            Event::DesignDrawn { seat, design, means } => {
                EventView::DesignDrawn { seat, design: viewer.sees(seat).then_some(design), means }
            }
            Event::DesignExchanged { seat, returned, drawn } => EventView::DesignExchanged {
                seat,
                returned: viewer.sees(seat).then_some(returned),
                drawn: viewer.sees(seat).then_some(drawn),
            },
            Event::CardPlayed { seat, card } => EventView::CardPlayed { seat, card },
            Event::ActionStolen { seat, from, card } => EventView::ActionStolen {
                seat,
                from,
                card: (viewer.sees(seat) || viewer.sees(from)).then_some(card),
            },
            Event::TokensStolen { seat, from, tokens } => {
                EventView::TokensStolen { seat, from, tokens }
            }
            Event::SkeinReplaced { seat, octagon, from, to } => {
                EventView::SkeinReplaced { seat, octagon, from, to }
            }
            Event::TileReplaced { seat, tile, from, to } => {
                EventView::TileReplaced { seat, tile, from, to }
            }
            Event::TokensTaken { seat, tokens } => EventView::TokensTaken { seat, tokens },
            Event::WagerRolled { seat, named, rolled, tokens } => {
                EventView::WagerRolled { seat, named, rolled, tokens }
            }
            Event::TaxPaid { seats } => EventView::TaxPaid { seats },
            Event::DesignClaimed { seat, design, at, points } => {
                EventView::DesignClaimed { seat, design, at, points }
            }
            Event::GameEnded { winner } => EventView::GameEnded { winner },
        }
    }
}

/// A drawn action card as its owner sees it; a victory point is revealed to everybody (R6.14).
fn drawn(viewer: Viewer, owner: Seat, card: ActionCard) -> Option<ActionCard> {
    (viewer.sees(owner) || card == ActionCard::VictoryPoint).then_some(card)
}
