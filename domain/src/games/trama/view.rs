//! What each viewer may see: everything except other seats' picks until all are revealed (R3.2).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Trama,
    cards::{Button, Card, Objective, Pattern, PatternKind},
    components::{Axis, Colour, PICKS},
    cords::Cords,
    loom::Loom,
    score,
    slots::{SLOTS, Slot, Slots},
    state::{Phase, PlayerArea, State},
};
use crate::{
    game::ShowState,
    seat::{Seat, Viewer},
};

/// A match of Trama as one viewer sees it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = trama::View)]
pub struct View {
    /// The round, from 1 to 4; 0 during setup.
    #[schema(maximum = 4)]
    pub round: u8,
    /// The phase of the round.
    pub phase: PhaseView,
    /// The shared objective, once it has been drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<ObjectiveView>,
    /// The eight pattern cards on the table, the four adjacent ones first.
    #[schema(max_items = 8)]
    pub cards: Vec<CardView>,
    /// The cords left in the bag.
    pub bag: BagView,
    /// The area of each seat, in seat order.
    pub places: Vec<PlayerAreaView>,
}

/// The phase of the round.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = trama::Phase)]
pub enum PhaseView {
    /// The match is being set up.
    Setup {},
    /// Every seat picks a cord from its hand.
    Draft {
        /// The current pick of the round.
        #[schema(minimum = 1, maximum = 4)]
        pick: u8,
    },
    /// Every seat weaves the cords that it has collected.
    Weaving {},
    /// Every seat places a button on a pattern card.
    Pattern {},
    /// The match is over.
    Over {},
}

/// The shared objective: five points for every seat whose loom shows both patterns.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = trama::Objective)]
pub struct ObjectiveView {
    /// The card.
    pub id: Objective,
    /// Its adjacent pattern.
    pub adjacent: Pattern,
    /// Its interlaced pattern.
    pub interlaced: Pattern,
}

/// A pattern card on the table.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = trama::TableCard)]
pub struct CardView {
    /// The card.
    pub id: Card,
    /// Its pattern.
    pub pattern: Pattern,
    /// The seats that have a button on it.
    pub seats: Vec<Seat>,
}

/// Cords left in the bag, by colour.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = trama::Bag)]
pub struct BagView {
    /// Red cords.
    #[schema(maximum = 20)]
    pub red: u8,
    /// Pink cords.
    #[schema(maximum = 20)]
    pub pink: u8,
    /// Sky cords.
    #[schema(maximum = 20)]
    pub sky: u8,
    /// Blue cords.
    #[schema(maximum = 20)]
    pub blue: u8,
    /// Purple cords.
    #[schema(maximum = 20)]
    pub purple: u8,
}

/// The area of a seat: its hand, loom and buttons.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = trama::Place)]
pub struct PlayerAreaView {
    /// The seat.
    pub seat: Seat,
    /// The hand, which is public. A picked cord stays in it until all picks are revealed.
    #[schema(max_items = 5)]
    pub hand: Vec<Colour>,
    /// Whether the seat has picked.
    pub picked: bool,
    /// The colour it has picked, if the viewer may see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pick: Option<Colour>,
    /// Cords collected and not yet woven.
    #[schema(max_items = 4)]
    pub cords: Vec<Colour>,
    /// The loom.
    pub loom: LoomView,
    /// The placed buttons, in the order of placing.
    #[schema(max_items = 4)]
    pub buttons: Vec<ButtonView>,
    /// Round buttons not yet placed.
    #[schema(maximum = 2)]
    pub round_buttons_left: u8,
    /// Square buttons not yet placed.
    #[schema(maximum = 2)]
    pub square_buttons_left: u8,
    /// Which patterns of the shared objective the loom shows.
    pub objective: ProgressView,
    /// Cords beyond three of a colour on an axis; each costs a point.
    #[schema(minimum = 0, maximum = 10)]
    pub penalties: i64,
    /// The current score.
    pub score: i64,
}

/// A loom; empty slots are `null`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = trama::Loom)]
pub struct LoomView {
    /// The vertical slots, from the left.
    #[schema(min_items = 8, max_items = 8)]
    pub vertical: [Option<CordView>; SLOTS],
    /// The horizontal slots, from the top.
    #[schema(min_items = 8, max_items = 8)]
    pub horizontal: [Option<CordView>; SLOTS],
}

/// A woven cord and its crossings.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = trama::Cord)]
pub struct CordView {
    /// Its colour.
    pub colour: Colour,
    /// The slots of the other axis whose cords it passes over.
    #[schema(value_type = Vec<Slot>, max_items = 8)]
    pub over: Slots,
    /// The slots of the other axis whose cords it passes under.
    #[schema(value_type = Vec<Slot>, max_items = 8)]
    pub under: Slots,
}

/// A button on a card.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = trama::PlacedButton)]
pub struct ButtonView {
    /// The round in which it was placed.
    #[schema(minimum = 1, maximum = 4)]
    pub round: u8,
    /// The shape of the button.
    pub button: Button,
    /// The card.
    pub card: Card,
    /// The current points of the card: how often the loom shows its pattern.
    #[schema(minimum = 0, maximum = 56)]
    pub points: i64,
}

/// Which patterns of the shared objective a loom shows.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = trama::ObjectiveProgress)]
pub struct ProgressView {
    /// Whether the loom shows the adjacent pattern.
    pub adjacent: bool,
    /// Whether the loom shows the interlaced pattern.
    pub interlaced: bool,
}

impl ShowState for Trama {
    fn view(state: &State, viewer: Viewer) -> View {
        View {
            round: state.round,
            phase: phase(state),
            objective: state.objective.map(objective),
            cards: state.cards.iter().map(|id| card(state, *id)).collect(),
            bag: bag(state.bag),
            places: state.seated().map(|(seat, at)| area(state, seat, at, viewer)).collect(),
        }
    }
}

fn phase(state: &State) -> PhaseView {
    match state.phase {
        Phase::Setup => PhaseView::Setup {},
        Phase::Draft => PhaseView::Draft { pick: state.pick_number().min(PICKS) },
        Phase::Weaving => PhaseView::Weaving {},
        Phase::Pattern => PhaseView::Pattern {},
        Phase::Over => PhaseView::Over {},
    }
}

fn objective(id: Objective) -> ObjectiveView {
    let [adjacent, interlaced] = id.patterns();
    ObjectiveView { id, adjacent, interlaced }
}

fn card(state: &State, id: Card) -> CardView {
    let users = state.seated().filter(|(_, area)| area.uses(id));
    CardView { id, pattern: id.pattern(), seats: users.map(|(seat, _)| seat).collect() }
}

fn bag(bag: Cords) -> BagView {
    BagView {
        red: bag.count(Colour::Red),
        pink: bag.count(Colour::Pink),
        sky: bag.count(Colour::Sky),
        blue: bag.count(Colour::Blue),
        purple: bag.count(Colour::Purple),
    }
}

fn area(state: &State, seat: Seat, area: &PlayerArea, viewer: Viewer) -> PlayerAreaView {
    let [adjacent, interlaced] = score::objective_shown(state, &area.loom);
    PlayerAreaView {
        seat,
        hand: area.hand.into(),
        picked: area.pick.is_some(),
        pick: area.pick.filter(|_| viewer.sees(seat)), // R3.2
        cords: area.cords.into(),
        loom: LoomView {
            vertical: cords(&area.loom, Axis::Vertical),
            horizontal: cords(&area.loom, Axis::Horizontal),
        },
        buttons: buttons(area),
        round_buttons_left: area.buttons_left(PatternKind::Adjacent),
        square_buttons_left: area.buttons_left(PatternKind::Interlaced),
        objective: ProgressView { adjacent, interlaced },
        penalties: score::penalties(&area.loom),
        score: score::total(state, area),
    }
}

fn cords(loom: &Loom, axis: Axis) -> [Option<CordView>; SLOTS] {
    let mut slots = Slot::all();
    loom.cords(axis).map(|cord| {
        let (slot, colour) = (slots.next()?, cord?);
        let over = loom.over(axis, slot);
        Some(CordView { colour, over, under: loom.crossed(axis).without(over) })
    })
}

fn buttons(area: &PlayerArea) -> Vec<ButtonView> {
    (1..)
        .zip(area.buttons)
        .filter_map(|(round, card)| {
            let card = card?;
            let points = score::card_points(area, card);
            Some(ButtonView { round, button: card.kind().button(), card, points })
        })
        .collect()
}
