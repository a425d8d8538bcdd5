//! What each viewer may see of a state: everything except decks, the faces of wind cards, and others' hands (R2.6, R4.10).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Brotando,
    cards::{Back, Card, Figure, Wind},
    components::LineInfo,
    events::Bid,
    score,
    sprout::{Balance, Segment},
    state::{Phase, State},
};
use crate::{
    game::ShowState,
    seat::{Seat, SeatSet, Viewer},
};

/// A match of Dos Semanas Brotando as one viewer sees it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = brotando::View)]
pub struct View {
    /// The day, 1 to 14; 0 during setup.
    #[schema(maximum = 14)]
    pub day: u8,
    /// The first seat of the day.
    pub first: Seat,
    /// The phase of the day.
    pub phase: PhaseView,
    /// The seat that is rearranging its deck, while everybody else waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arranging: Option<Seat>,
    /// The cards in the centre of the table.
    pub centre: Vec<CentreView>,
    /// The plot of each seat, in seat order.
    pub seats: Vec<PlotView>,
}

/// The phase of the day.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = brotando::Phase)]
pub enum PhaseView {
    /// The match is being set up.
    Setup {},
    /// Seats that failed a balance test drop segments.
    Testing {
        /// The seats that still owe segments.
        owing: Vec<Seat>,
    },
    /// The active seat selects a card from the centre.
    Selecting {
        /// The active seat.
        active: Seat,
    },
    /// The other seats without a card bid in turn.
    Bidding {
        /// The active seat, which selected the card.
        active: Seat,
        /// The selected card, by the seat that revealed it.
        #[schema(maximum = 5)]
        card: u8,
        /// The seat whose turn it is to raise the bid or leave.
        turn: Seat,
        /// The seats that have not left.
        bidders: Vec<Seat>,
        /// The highest bid so far.
        #[serde(skip_serializing_if = "Option::is_none")]
        highest: Option<Bid>,
    },
    /// The active seat keeps the card or sells it.
    Deciding {
        /// The active seat.
        active: Seat,
        /// The selected card, by the seat that revealed it.
        #[schema(maximum = 5)]
        card: u8,
        /// The highest bid: the price if the card is sold.
        highest: Bid,
        /// The segments to pay to the bidder if the card is kept.
        #[schema(minimum = 1, maximum = 32_768)]
        keep_price: u16,
    },
    /// Every seat grows, in any order.
    Growing {
        /// The seats that still have to grow.
        waiting: Vec<Seat>,
    },
    /// The match is over.
    Over {},
}

/// A card as a viewer sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = brotando::Card)]
pub enum CardView {
    /// A growth card.
    Growth {
        /// The rows of its figure from the top, `#` for a square.
        #[schema(value_type = Vec<String>, min_items = 1, max_items = 6)]
        figure: Cow<'static, [String]>,
    },
    /// A wind card.
    Wind {
        /// Its text, if the viewer knows it.
        #[serde(skip_serializing_if = "Option::is_none")]
        wind: Option<Wind>,
    },
}

impl CardView {
    /// A card whose face the viewer knows.
    pub(crate) fn open(card: Card) -> Self {
        match card {
            Card::Growth(figure) => Self::Growth { figure: Cow::Borrowed(&figure.shape().picture) },
            Card::Wind(wind) => Self::Wind { wind: Some(wind) },
        }
    }

    /// A card in the centre, where wind is face down.
    pub(crate) fn closed(figure: Option<Figure>) -> Self {
        figure.map_or(Self::Wind { wind: None }, |figure| Self::open(Card::Growth(figure)))
    }

    /// A card that belongs to a seat.
    pub(crate) fn of(card: Card, open: bool) -> Self {
        if open { Self::open(card) } else { Self::closed(card.figure()) }
    }
}

/// A card in the centre.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = brotando::CentreCard)]
pub struct CentreView {
    /// The seat that revealed it, by which moves name it.
    #[schema(maximum = 5)]
    pub card: u8,
    /// Its face, as far as everybody may see it.
    pub face: CardView,
}

/// A seat's deck.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = brotando::Deck)]
pub struct DeckView {
    /// The number of cards left.
    #[schema(maximum = 14)]
    pub cards: u8,
    /// The back of the top card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<Back>,
    /// The next cards from the top, as far as the viewer knows them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<CardView>,
}

/// The plot of a seat: its deck, its reserve and its sprout.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = brotando::Plot)]
pub struct PlotView {
    /// The seat.
    pub seat: Seat,
    /// Segments in reserve.
    #[schema(maximum = 65_535)]
    pub reserve: u16,
    /// The deck.
    pub deck: DeckView,
    /// The card obtained today.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<CardView>,
    /// Whether the sprout has grown today.
    pub grown: bool,
    /// Segments that a failed test still costs.
    #[schema(maximum = 65_535)]
    pub owes: u16,
    /// Whether a balance test was passed today.
    pub passed_test: bool,
    /// The segments of the sprout.
    pub segments: Vec<Segment>,
    /// The balance of the sprout: squares on both sides and in the centre.
    pub balance: Balance,
    /// The lines crossed so far.
    pub crossed: Vec<LineInfo>,
    /// The number of wind cards in hand.
    #[schema(maximum = 14)]
    pub winds_in_hand: u8,
    /// The wind cards in hand, if the viewer knows them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winds: Option<Vec<Wind>>,
    /// The wind cards played.
    pub played: Vec<Wind>,
    /// The current points. Wind cards in hand count only once the match is over.
    pub score: i64,
}

impl ShowState for Brotando {
    fn view(state: &State, viewer: Viewer) -> View {
        let centre = (0..).zip(&state.centre).filter_map(|(card, face)| {
            face.map(|face| CentreView {
                card,
                face: CardView::of(face, viewer == Viewer::Archive),
            })
        });
        View {
            day: state.day,
            first: state.first,
            phase: phase(state),
            arranging: state.arranging,
            centre: centre.collect(),
            seats: Seat::all(state.seats()).map(|seat| plot(state, seat, viewer)).collect(),
        }
    }
}

fn phase(state: &State) -> PhaseView {
    let list = |seats: SeatSet| seats.iter().collect();
    match state.phase {
        Phase::Setup => PhaseView::Setup {},
        Phase::Testing => {
            PhaseView::Testing { owing: list(state.seats_where(|plot| plot.debt > 0)) }
        }
        Phase::Selecting { active } => PhaseView::Selecting { active },
        Phase::Bidding { active, card, turn, bidders, highest } => {
            PhaseView::Bidding { active, card, turn, bidders: list(bidders), highest }
        }
        Phase::Deciding { active, card, highest } => {
            PhaseView::Deciding { active, card, highest, keep_price: highest.half() }
        }
        Phase::Growing => {
            PhaseView::Growing { waiting: list(state.seats_where(|plot| !plot.grown)) }
        }
        Phase::Over => PhaseView::Over {},
    }
}

fn plot(state: &State, seat: Seat, viewer: Viewer) -> PlotView {
    let (plot, day, over) = (state.plot(seat), state.day, state.phase == Phase::Over);
    let open = over || viewer.sees(seat);
    let known = match viewer {
        Viewer::Archive => plot.deck.len(),
        Viewer::Seat(own) if own == seat => plot.known.into(),
        Viewer::Seat(_) | Viewer::Spectator => 0,
    };
    let played = Wind::ALL.into_iter().zip(plot.played);
    PlotView {
        seat,
        reserve: plot.reserve,
        deck: DeckView {
            cards: u8::try_from(plot.deck.len()).expect("at most 14 cards"),
            top: plot.deck.first().map(|card| card.back()),
            next: plot.deck.iter().take(known).map(|card| CardView::open(*card)).collect(),
        },
        card: plot.card.map(|card| CardView::of(card, open)),
        grown: plot.grown,
        owes: plot.debt,
        passed_test: day > 0 && plot.passed_on == day,
        segments: plot.sprout.segments(),
        balance: plot.sprout.balance(),
        crossed: plot.crossed.infos().collect(),
        winds_in_hand: u8::try_from(plot.hand.len()).expect("at most 14 cards"),
        winds: open.then(|| plot.hand.iter().map(|held| held.wind).collect()),
        played: played.flat_map(|(wind, times)| (0..times).map(move |_| wind)).collect(),
        score: if over { score::total(plot) } else { score::open_total(plot) },
    }
}
