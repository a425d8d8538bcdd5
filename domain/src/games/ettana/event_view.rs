//! What each viewer may see of an event: everything but the cards that others draw, deal, exchange or steal (R1.8).

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
    /// Every seat threw the number die, for its place and for the start.
    StartRolled {
        /// One throw a seat.
        throws: Vec<Throw>,
    },
    /// The seats that tied threw again, for the start only.
    TieRolled {
        /// One throw for each of them.
        throws: Vec<Throw>,
    },
    /// It is known who begins.
    StartDecided {
        /// Who.
        seat: Seat,
    },
    /// No tile of a seat's number was free, so it threw again.
    PlaceRerolled {
        /// Who.
        seat: Seat,
        /// What the die shows now.
        #[schema(minimum = 1, maximum = 6)]
        number: u8,
    },
    /// A piece was placed.
    PieceSettled {
        /// Whose.
        seat: Seat,
        /// On which tile.
        #[schema(minimum = 0, maximum = 15)]
        tile: u8,
    },
    /// A seat was dealt its first cards and tokens.
    HandDealt {
        /// Who.
        seat: Seat,
        /// The design, if the viewer may see it.
        #[serde(skip_serializing_if = "Option::is_none")]
        design: Option<DesignId>,
        /// The action card, if the viewer may see it; a victory point is seen by everybody.
        #[serde(skip_serializing_if = "Option::is_none")]
        card: Option<ActionCard>,
        /// How many tokens.
        #[schema(minimum = 0, maximum = 48)]
        tokens: u8,
    },
    /// A turn began.
    TurnBegan {
        /// Whose.
        seat: Seat,
    },
    /// The dice show something new.
    DiceRolled {
        /// Who rolled.
        seat: Seat,
        /// What they show.
        roll: Roll,
    },
    /// The colour paid.
    IncomePaid {
        /// The tokens of each seat, in seat order.
        tokens: Vec<u8>,
    },
    /// The supply could not pay everybody, so nobody was paid.
    IncomeWithheld {
        /// What would have been paid.
        #[schema(minimum = 0, maximum = 16)]
        due: u8,
        /// What there was.
        #[schema(minimum = 0, maximum = 48)]
        supply: u8,
    },
    /// Black pays nobody; the roller draws an action card, if there is one.
    BlackShown {
        /// The roller.
        seat: Seat,
    },
    /// A piece moved.
    PieceMoved {
        /// Whose.
        seat: Seat,
        /// The tiles it stepped on; it stands on the last.
        path: Vec<u8>,
        /// The seats that were paid a token each for letting it pass.
        tolls: Vec<Seat>,
        /// How it moved.
        gait: Gait,
    },
    /// A piece had nowhere to go.
    MoveWaived {
        /// Whose.
        seat: Seat,
    },
    /// Two skeins changed places.
    SkeinsSwapped {
        /// Who swapped them.
        seat: Seat,
        /// Where they lie.
        #[schema(value_type = [u8; 2])]
        octagons: Pair,
        /// What gave the right to.
        means: Means,
    },
    /// The discards became the new action deck.
    ActionsReshuffled {
        /// How many.
        #[schema(minimum = 1, maximum = 36)]
        cards: u8,
    },
    /// An action card was drawn.
    ActionDrawn {
        /// Who drew it.
        seat: Seat,
        /// The card, if the viewer may see it; a victory point is seen by everybody.
        #[serde(skip_serializing_if = "Option::is_none")]
        card: Option<ActionCard>,
        /// What gave the right to.
        means: Means,
    },
    /// A design was drawn.
    DesignDrawn {
        /// Who drew it.
        seat: Seat,
        /// The design, if the viewer may see it.
        #[serde(skip_serializing_if = "Option::is_none")]
        design: Option<DesignId>,
        /// What gave the right to.
        means: Means,
    },
    /// A design went under the deck and another was drawn.
    DesignExchanged {
        /// Who exchanged it.
        seat: Seat,
        /// The one given away, if the viewer may see it.
        #[serde(skip_serializing_if = "Option::is_none")]
        returned: Option<DesignId>,
        /// The one drawn, if the viewer may see it.
        #[serde(skip_serializing_if = "Option::is_none")]
        drawn: Option<DesignId>,
    },
    /// An action card was played and discarded; what it does follows.
    CardPlayed {
        /// Who played it.
        seat: Seat,
        /// The card.
        card: ActionCard,
    },
    /// A random action card changed hands.
    ActionStolen {
        /// Who took it.
        seat: Seat,
        /// From whom.
        from: Seat,
        /// The card, if the viewer is one of the two.
        #[serde(skip_serializing_if = "Option::is_none")]
        card: Option<ActionCard>,
    },
    /// Tokens changed hands.
    TokensStolen {
        /// Who took them.
        seat: Seat,
        /// From whom.
        from: Seat,
        /// How many.
        #[schema(minimum = 1, maximum = 2)]
        tokens: u8,
    },
    /// A skein was exchanged for one of the reserve.
    SkeinReplaced {
        /// Who did it.
        seat: Seat,
        /// Where.
        #[schema(minimum = 0, maximum = 24)]
        octagon: u8,
        /// The colour that lay there.
        from: Colour,
        /// The colour that lies there now.
        to: Colour,
    },
    /// A tile was exchanged for one of the reserve.
    TileReplaced {
        /// Who did it.
        seat: Seat,
        /// Where.
        #[schema(minimum = 0, maximum = 15)]
        tile: u8,
        /// The number that lay there.
        #[schema(minimum = 1, maximum = 6)]
        from: u8,
        /// The number that lies there now.
        #[schema(minimum = 1, maximum = 6)]
        to: u8,
    },
    /// A card brought tokens.
    TokensTaken {
        /// To whom.
        seat: Seat,
        /// How many.
        #[schema(minimum = 1, maximum = 3)]
        tokens: u8,
    },
    /// A seat named a number and rolled for as many tokens.
    WagerRolled {
        /// Who.
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
    /// Seats paid a token each to the supply.
    TaxPaid {
        /// Who paid.
        seats: Vec<Seat>,
    },
    /// A design was shown on the board.
    DesignClaimed {
        /// Who claimed it.
        seat: Seat,
        /// The design.
        design: DesignId,
        /// The octagons on which it lies.
        #[schema(value_type = Vec<u8>)]
        at: Octagons,
        /// What it is worth.
        #[schema(minimum = 1, maximum = 3)]
        points: u8,
    },
    /// A seat reached 8 points.
    GameEnded {
        /// Who.
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

/// A drawn action card, for its owner; a victory point is turned up for everybody (R6.14).
fn drawn(viewer: Viewer, owner: Seat, card: ActionCard) -> Option<ActionCard> {
    (viewer.sees(owner) || card == ActionCard::VictoryPoint).then_some(card)
}
