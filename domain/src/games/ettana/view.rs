//! What each viewer may see of a state: everything but the hands of others and the decks (R1.8).

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    board::OCTAGONS,
    components::{ActionCard, Colour},
    designs::{DesignId, Designs},
    events::Roll,
    state::{Phase, State},
};
use crate::seat::{Seat, Viewer};

/// A match of Ettana as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ettana::View)]
pub(crate) struct View {
    /// Turns so far, the current one included; 0 while pieces are being placed.
    #[schema(minimum = 0)]
    turn: u32,
    /// Rounds so far, the current one included; in a round every seat has one turn.
    #[schema(minimum = 0)]
    round: u32,
    /// The seat whose turn it is.
    active: Seat,
    /// Where the turn stands.
    phase: PhaseView,
    /// The skeins on the 25 octagons, row by row.
    #[schema(min_items = 25, max_items = 25)]
    octagons: [Colour; OCTAGONS],
    /// The 16 number tiles between them, row by row.
    #[schema(min_items = 16, max_items = 16)]
    tiles: Vec<TileView>,
    /// The skeins beside the board.
    #[schema(min_items = 5, max_items = 5)]
    skein_reserve: Vec<Colour>,
    /// The numbers of the tiles beside the board.
    #[schema(min_items = 2, max_items = 2)]
    tile_reserve: [u8; 2],
    /// Tokens in the supply.
    #[schema(minimum = 0, maximum = 48)]
    supply: u8,
    /// Cards in the design deck.
    #[schema(minimum = 0, maximum = 36)]
    design_deck: usize,
    /// Cards in the action deck.
    #[schema(minimum = 0, maximum = 36)]
    action_deck: u8,
    /// Action cards that have been played, by kind.
    discards: Vec<ActionCard>,
    /// One weaver a seat, in seat order.
    weavers: Vec<WeaverView>,
}

/// Where the turn stands.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = ettana::Phase)]
enum PhaseView {
    /// The table is being set.
    Setup {},
    /// The active seat places its piece.
    Settling {
        /// The number of the tile that it has to take.
        #[schema(minimum = 1, maximum = 6)]
        number: u8,
    },
    /// The active seat is about to roll.
    Rolling {},
    /// The active seat collects, or rolls again with a card.
    Rolled {
        /// What the dice show.
        roll: Roll,
    },
    /// The active seat acts.
    Acting {
        /// What the dice show.
        roll: Roll,
        /// Whether its piece has moved.
        moved: bool,
        /// Whether the free swap is open, as the very next action.
        free_swap: bool,
        /// Whether a design may still be exchanged instead of acting.
        exchange: bool,
    },
    /// The match is over.
    Over {
        /// Who reached 8 points.
        winner: Seat,
    },
}

/// A number tile.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ettana::Tile)]
struct TileView {
    /// Its number.
    #[schema(minimum = 1, maximum = 6)]
    number: u8,
    /// The seat whose piece stands on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<Seat>,
}

/// A design card that the viewer can see.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ettana::Design)]
struct DesignView {
    /// Which design.
    id: DesignId,
    /// What it is worth.
    #[schema(minimum = 1, maximum = 3)]
    points: u8,
    /// Row by row from the top: equal letters are equal colours, different letters different ones, `.` is anything.
    #[schema(value_type = Vec<String>)]
    pattern: &'static [String],
}

/// What a seat has.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ettana::Weaver)]
struct WeaverView {
    /// Whose it is.
    seat: Seat,
    /// The tile on which its piece stands, once it has been placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 15)]
    tile: Option<u8>,
    /// Its tokens.
    #[schema(minimum = 0, maximum = 48)]
    tokens: u8,
    /// Its points: claimed designs and victory cards.
    #[schema(minimum = 0)]
    points: u8,
    /// Victory point cards in front of it.
    #[schema(minimum = 0, maximum = 3)]
    victory_cards: u8,
    /// The designs it has claimed.
    claimed: Vec<DesignView>,
    /// How many designs it holds.
    #[schema(minimum = 0, maximum = 36)]
    designs_held: u32,
    /// How many action cards it holds.
    #[schema(minimum = 0, maximum = 36)]
    actions_held: u8,
    /// The designs it holds, if the viewer may see them.
    #[serde(skip_serializing_if = "Option::is_none")]
    designs: Option<Vec<DesignView>>,
    /// The action cards it holds, by kind, if the viewer may see them.
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<ActionCard>>,
}

pub(crate) fn view(state: &State, viewer: Viewer) -> View {
    let reserve = Colour::ALL
        .into_iter()
        .flat_map(|colour| std::iter::repeat_n(colour, state.skein_reserve[colour.index()].into()));
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
            DesignView { id, points: card.points, pattern: &card.pattern }
        })
        .collect()
}
