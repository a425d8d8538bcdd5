//! What each viewer may see: everything except the bodies of face-down cards and the deck below the back of its
//! top card (R1.2). The archive sees those, too.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Mode, Tapestry,
    components::{Body, Card, Colour, SIDE, SLOTS},
    events::EndReason,
    score::{self, Rank},
    state::{Phase, State},
    weave::{Cell, Weave},
};
use crate::{game::ShowState, seat::Viewer};

/// A match of Universal Tapestry as one viewer sees it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = tapestry::View)]
pub struct View {
    /// The mode of the match.
    pub mode: Mode,
    /// The number of the turn: cards drawn from the draw area so far.
    #[schema(maximum = 68)]
    pub turn: u8,
    /// The phase of the turn.
    pub phase: PhaseView,
    /// The cards of the tapestry.
    pub tapestry: TapestryView,
    /// The eight slots of the draw area, `null` where empty.
    #[schema(min_items = 8, max_items = 8)]
    pub draw_area: [Option<Back>; SLOTS],
    /// The deck.
    pub deck: DeckView,
    /// The discarded cards.
    pub discards: DiscardsView,
    /// Whether too many cards are discarded to complete the tapestry.
    pub loss_certain: bool,
    /// Exchanges so far.
    pub exchanges: u32,
    /// The most exchanges in one turn so far.
    pub longest_chain: u32,
    /// Milliseconds from the end of the setup to the last event.
    #[schema(minimum = 0)]
    pub elapsed_ms: i64,
}

/// The phase of the turn.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = tapestry::Phase)]
pub enum PhaseView {
    /// The match is being set up.
    Setup {},
    /// The seat draws a card from the draw area.
    Drawing {},
    /// The seat places, exchanges or discards the card in hand.
    Holding {
        /// The card in hand.
        card: Card,
        /// The slot from which the turn's card was drawn; it is refilled when the hand is empty.
        #[schema(maximum = 7)]
        slot: u8,
        /// Exchanges so far in this turn.
        chain: u32,
    },
    /// The match is over.
    Over {
        /// Why it ended.
        reason: EndReason,
        /// The rank of a complete tapestry in `time` mode.
        #[serde(skip_serializing_if = "Option::is_none")]
        rank: Option<Rank>,
    },
}

/// The tapestry, on a field of 12 × 12 cells with fixed coordinates. The start cards are on the diagonal from 4 to 7, so
/// the square of 8 × 8 stays on the field whichever way it grows.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = tapestry::Tapestry)]
pub struct TapestryView {
    /// The number of cards; 64 make it complete.
    #[schema(maximum = 64)]
    pub filled: u8,
    /// The topmost row with a card.
    #[schema(maximum = 4)]
    pub top: u8,
    /// The lowest row with a card.
    #[schema(minimum = 7, maximum = 11)]
    pub bottom: u8,
    /// The leftmost column with a card.
    #[schema(maximum = 4)]
    pub left: u8,
    /// The rightmost column with a card.
    #[schema(minimum = 7, maximum = 11)]
    pub right: u8,
    /// Rows by which the tapestry may still grow, above and below together.
    #[schema(maximum = 4)]
    pub rows_left: u8,
    /// Columns by which the tapestry may still grow, left and right together.
    #[schema(maximum = 4)]
    pub columns_left: u8,
    /// The cards, row by row.
    #[schema(max_items = 64)]
    pub cards: Vec<LaidCard>,
}

/// A card of the tapestry.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = tapestry::LaidCard)]
pub struct LaidCard {
    /// The row of the field, from the top.
    #[schema(maximum = 11)]
    pub row: u8,
    /// The column of the field, from the left.
    #[schema(maximum = 11)]
    pub column: u8,
    /// The card.
    pub card: Card,
}

/// A face-down card.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = tapestry::Back)]
pub struct Back {
    /// The colour, shown on the back.
    pub colour: Colour,
    /// The body, hidden until the match is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
}

/// The deck.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = tapestry::Deck)]
pub struct DeckView {
    /// The number of cards.
    #[schema(maximum = 60)]
    pub count: u8,
    /// The colour of its top card, `null` if the deck is empty.
    #[schema(required = true)]
    pub top: Option<Colour>,
    /// Its cards from the top, hidden until the match is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 60)]
    pub cards: Option<Vec<Card>>,
}

/// The discarded cards.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = tapestry::Discards)]
pub struct DiscardsView {
    /// The cards, in the order of discarding.
    #[schema(max_items = 68)]
    pub cards: Vec<Card>,
    /// How many more cards may be discarded before the loss is certain.
    #[schema(maximum = 8)]
    pub spare: u8,
    /// Their points, in `discards` mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 72)]
    pub points: Option<i64>,
}

impl ShowState for Tapestry {
    fn view(state: &State, viewer: Viewer) -> View {
        View {
            mode: state.mode,
            turn: state.draws,
            phase: match state.phase {
                Phase::Setup => PhaseView::Setup {},
                Phase::Drawing => PhaseView::Drawing {},
                Phase::Holding { card, slot, chain } => PhaseView::Holding { card, slot, chain },
                Phase::Over { reason } => PhaseView::Over { reason, rank: score::rank(state) },
            },
            tapestry: tapestry(&state.tapestry),
            draw_area: state.area.map(|slot| slot.map(|card| back(card, viewer))),
            deck: DeckView {
                count: small(state.deck.len()),
                top: state.top(),
                cards: (viewer == Viewer::Archive)
                    .then(|| state.deck.iter().rev().copied().collect()),
            },
            discards: DiscardsView {
                cards: state.discards.clone(),
                spare: small(state.spare()),
                points: score::total(state),
            },
            loss_certain: state.is_loss_certain(),
            exchanges: state.exchanges,
            longest_chain: state.longest_chain,
            elapsed_ms: state.elapsed_ms(),
        }
    }
}

fn small(number: usize) -> u8 {
    u8::try_from(number).expect("there are 72 cards")
}

/// A face-down card as this viewer sees it.
pub(crate) fn back(card: Card, viewer: Viewer) -> Back {
    Back { colour: card.colour, body: (viewer == Viewer::Archive).then_some(card.body) }
}

fn tapestry(tapestry: &Weave) -> TapestryView {
    let span = tapestry.span();
    TapestryView {
        filled: tapestry.filled(),
        top: span.top,
        bottom: span.bottom,
        left: span.left,
        right: span.right,
        rows_left: SIDE.saturating_sub(span.rows()),
        columns_left: SIDE.saturating_sub(span.columns()),
        cards: tapestry.cards().map(laid).collect(),
    }
}

/// A card of the tapestry and its cell.
pub(crate) fn laid((Cell { row, column }, card): (Cell, Card)) -> LaidCard {
    LaidCard { row, column, card }
}
