//! What each viewer may see of a state: everything except others' hands and the decks (R1.8).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Ettana,
    board::OCTAGONS,
    components::{ActionCard, Colour},
    designs::{DesignId, Designs},
    events::Roll,
    state::{Phase, State},
};
use crate::{
    game::ShowState,
    seat::{Seat, Viewer},
};

/// A match of Ettana as one viewer sees it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ettana::View)]
pub struct View {
    /// The number of turns so far, including the current one; 0 while pieces are being placed.
    #[schema(minimum = 0)]
    pub turn: u32,
    /// The number of rounds so far, including the current one; every seat has one turn per round.
    #[schema(minimum = 0)]
    pub round: u32,
    /// The seat whose turn it is.
    pub active: Seat,
    /// The phase of the turn.
    pub phase: PhaseView,
    /// The skeins on the 25 octagons, row by row.
    #[schema(min_items = 25, max_items = 25)]
    pub octagons: [Colour; OCTAGONS],
    /// The 16 number tiles between them, row by row.
    #[schema(min_items = 16, max_items = 16)]
    pub tiles: Vec<TileView>,
    /// The skeins in the reserve.
    #[schema(min_items = 5, max_items = 5)]
    pub skein_reserve: Vec<Colour>,
    /// The numbers of the tiles in the reserve; 0 until the tiles are placed.
    #[schema(min_items = 2, max_items = 2)]
    pub tile_reserve: [u8; 2],
    /// Tokens in the supply.
    #[schema(minimum = 0, maximum = 48)]
    pub supply: u8,
    /// Cards in the design deck.
    #[schema(value_type = u8, minimum = 0, maximum = 36)]
    pub design_deck: usize,
    /// Cards in the action deck.
    #[schema(minimum = 0, maximum = 36)]
    pub action_deck: u8,
    /// Discarded action cards, by kind.
    pub discards: Vec<ActionCard>,
    /// One weaver per seat, in seat order.
    pub weavers: Vec<WeaverView>,
}

/// The phase of the turn.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = ettana::Phase)]
pub enum PhaseView {
    /// The match is being set up.
    Setup {},
    /// The active seat places its piece.
    Settling {
        /// The number of the tile that it has to choose.
        #[schema(minimum = 1, maximum = 6)]
        number: u8,
    },
    /// The active seat rolls.
    Rolling {},
    /// The active seat collects, or rolls again with a card.
    Rolled {
        /// The result of the dice.
        roll: Roll,
    },
    /// The active seat acts.
    Acting {
        /// The result of the dice.
        roll: Roll,
        /// Whether its piece has moved.
        moved: bool,
        /// Whether the free swap is possible, as the very next action.
        free_swap: bool,
        /// Whether a design may still be exchanged instead of acting.
        exchange: bool,
    },
    /// The match is over.
    Over {
        /// The seat that reached 8 points.
        winner: Seat,
    },
}

/// A number tile.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ettana::Tile)]
pub struct TileView {
    /// Its number; 0 until the tiles are placed.
    #[schema(minimum = 0, maximum = 6)]
    pub number: u8,
    /// The seat whose piece is on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
}

/// A design card that the viewer can see.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ettana::Design)]
pub struct DesignView {
    /// The design.
    pub id: DesignId,
    /// Its points.
    #[schema(minimum = 1, maximum = 3)]
    pub points: u8,
    /// Rows from the top: equal letters stand for equal colours, different letters for different colours, `.` for anything.
    #[schema(value_type = Vec<String>)]
    pub pattern: Cow<'static, [String]>,
}

/// A weaver: everything that a seat has.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ettana::Weaver)]
pub struct WeaverView {
    /// The seat.
    pub seat: Seat,
    /// The tile of its piece, once it has been placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 15)]
    pub tile: Option<u8>,
    /// Its tokens.
    #[schema(minimum = 0, maximum = 48)]
    pub tokens: u8,
    /// Its points: claimed designs and victory cards.
    #[schema(minimum = 0)]
    pub points: u8,
    /// Victory point cards in front of it.
    #[schema(minimum = 0, maximum = 3)]
    pub victory_cards: u8,
    /// The designs it has claimed.
    pub claimed: Vec<DesignView>,
    /// How many designs it holds.
    #[schema(minimum = 0, maximum = 36)]
    pub designs_held: u32,
    /// How many action cards it holds.
    #[schema(minimum = 0, maximum = 36)]
    pub actions_held: u8,
    /// The designs it holds, if the viewer may see them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub designs: Option<Vec<DesignView>>,
    /// The action cards it holds, by kind, if the viewer may see them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<Vec<ActionCard>>,
}

impl ShowState for Ettana {
    fn view(state: &State, viewer: Viewer) -> View {
        let reserve = Colour::ALL.into_iter().flat_map(|colour| {
            std::iter::repeat_n(colour, state.skein_reserve[colour.index()].into())
        });
        View {
            turn: state.turn,
            round: state.round(),
            active: state.active,
            phase: phase(state),
            octagons: state.skeins,
            tiles: state
                .tiles
                .iter()
                .zip(0..)
                .map(|(number, tile)| TileView { number: *number, seat: state.occupant(tile) })
                .collect(),
            skein_reserve: reserve.collect(),
            tile_reserve: state.tile_reserve,
            supply: state.supply(),
            design_deck: state.designs_left(),
            action_deck: state.action_deck.len(),
            discards: state.discards.iter().collect(),
            weavers: Seat::all(state.seats()).map(|seat| weaver(state, seat, viewer)).collect(),
        }
    }
}

fn phase(state: &State) -> PhaseView {
    match state.phase {
        Phase::Setup => PhaseView::Setup {},
        Phase::Settling => PhaseView::Settling { number: state.weaver(state.active).rolled },
        Phase::Rolling => PhaseView::Rolling {},
        Phase::Rolled { roll } => PhaseView::Rolled { roll },
        Phase::Acting { roll, progress } => PhaseView::Acting {
            roll,
            moved: progress.moved,
            free_swap: progress.just_moved,
            exchange: !progress.acted,
        },
        Phase::Over { winner } => PhaseView::Over { winner },
    }
}

fn weaver(state: &State, seat: Seat, viewer: Viewer) -> WeaverView {
    let weaver = state.weaver(seat);
    let shown = viewer.sees(seat);
    WeaverView {
        seat,
        tile: weaver.tile,
        tokens: weaver.tokens,
        points: weaver.points(),
        victory_cards: weaver.victory_cards,
        claimed: designs(weaver.claimed),
        designs_held: weaver.designs.len(),
        actions_held: weaver.actions.len(),
        designs: shown.then(|| designs(weaver.designs)),
        actions: shown.then(|| weaver.actions.iter().collect()),
    }
}

fn designs(set: Designs) -> Vec<DesignView> {
    set.iter()
        .map(|id| {
            let card = id.card();
            DesignView { id, points: card.points, pattern: Cow::Borrowed(&card.pattern) }
        })
        .collect()
}
