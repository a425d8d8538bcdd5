//! What each viewer may see: everything but the picks of others while picks are still coming in (R3.2).

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    cards::{Button, Card, Kind, Objective, Pattern},
    components::{Axis, Colour},
    cords::Cords,
    loom::Loom,
    score,
    slots::{SLOTS, Slot, Slots},
    state::{Phase, Place, State},
};
use crate::seat::{Seat, Viewer};

/// A match of Trama as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = trama::View)]
pub(crate) struct View {
    /// The round, from 1 to 4; 0 while the table is being set.
    #[schema(maximum = 4)]
    round: u8,
    /// Where the round stands.
    phase: PhaseView,
    /// The shared objective, once it has been drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    objective: Option<ObjectiveView>,
    /// The eight pattern cards on the table, the four adjacent ones first.
    cards: Vec<CardView>,
    /// What is left in the bag.
    bag: BagView,
    /// What lies before each seat, in seat order.
    places: Vec<PlaceView>,
}

/// Where the round stands.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = trama::Phase)]
enum PhaseView {
    /// The table is being set.
    Setup {},
    /// Every seat picks a cord from its hand.
    Draft {
        /// Which of the four picks of the round is being made.
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

/// The shared objective: five points to every seat whose loom shows both patterns.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = trama::Objective)]
struct ObjectiveView {
    /// The card.
    id: Objective,
    /// Its adjacent pattern.
    adjacent: Pattern,
    /// Its interlaced pattern.
    interlaced: Pattern,
}

/// A pattern card on the table.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = trama::TableCard)]
struct CardView {
    /// The card.
    id: Card,
    /// What it shows.
    pattern: Pattern,
    /// The seats that have a button on it.
    seats: Vec<Seat>,
}

/// Cords left in the bag, by colour.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = trama::Bag)]
struct BagView {
    /// Red cords.
    #[schema(maximum = 20)]
    red: u8,
    /// Pink cords.
    #[schema(maximum = 20)]
    pink: u8,
    /// Sky cords.
    #[schema(maximum = 20)]
    sky: u8,
    /// Blue cords.
    #[schema(maximum = 20)]
    blue: u8,
    /// Purple cords.
    #[schema(maximum = 20)]
    purple: u8,
}

/// What lies before a seat.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = trama::Place)]
struct PlaceView {
    /// Whose it is.
    seat: Seat,
    /// The open hand. A cord that has been picked stays in it until all picks are shown.
    #[schema(max_items = 5)]
    hand: Vec<Colour>,
    /// Whether the seat has picked.
    picked: bool,
    /// What it has picked, if the viewer may see it already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pick: Option<Colour>,
    /// The cords that it has collected and not yet woven.
    #[schema(max_items = 4)]
    cords: Vec<Colour>,
    /// The loom.
    loom: LoomView,
    /// The buttons that it has placed, in order.
    #[schema(max_items = 4)]
    buttons: Vec<ButtonView>,
    /// Round buttons not yet placed.
    #[schema(maximum = 2)]
    round_buttons_left: u8,
    /// Square buttons not yet placed.
    #[schema(maximum = 2)]
    square_buttons_left: u8,
    /// Which patterns of the shared objective the loom shows.
    objective: ProgressView,
    /// Cords after the third of a colour on an axis; each costs a point.
    #[schema(minimum = 0, maximum = 10)]
    penalties: i64,
    /// What the loom and the buttons are worth now.
    score: i64,
}

/// A loom. A slot without a cord is `null`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = trama::Loom)]
struct LoomView {
    /// The vertical slots, from the left.
    vertical: [Option<CordView>; SLOTS],
    /// The horizontal slots, from the top.
    horizontal: [Option<CordView>; SLOTS],
}

/// A woven cord and how it passes the cords that it crosses.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = trama::Cord)]
struct CordView {
    /// Its colour.
    colour: Colour,
    /// The slots of the other axis whose cords it passes over.
    #[schema(value_type = Vec<Slot>, max_items = 8)]
    over: Slots,
    /// The slots of the other axis whose cords it passes under.
    #[schema(value_type = Vec<Slot>, max_items = 8)]
    under: Slots,
}

/// A button on a card.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = trama::PlacedButton)]
struct ButtonView {
    /// The round in which it was placed.
    #[schema(minimum = 1, maximum = 4)]
    round: u8,
    /// The shape of the button.
    button: Button,
    /// The card.
    card: Card,
    /// How often the loom shows the card's pattern now: its points.
    #[schema(minimum = 0)]
    points: i64,
}

/// Which patterns of the shared objective a loom shows.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = trama::ObjectiveProgress)]
struct ProgressView {
    /// Whether the adjacent pattern is there.
    adjacent: bool,
    /// Whether the interlaced pattern is there.
    interlaced: bool,
}

pub(crate) fn view(state: &State, viewer: Viewer) -> View {
    View {
        round: state.round,
        phase: phase(state),
        objective: state.objective.map(objective),
        cards: state.cards.iter().map(|id| card(state, *id)).collect(),
        bag: bag(state.bag),
        places: state.seated().map(|(seat, at)| place(state, seat, at, viewer)).collect(),
    }
}

fn phase(state: &State) -> PhaseView {
    match state.phase {
        Phase::Setup => PhaseView::Setup {},
        Phase::Draft => PhaseView::Draft { pick: state.pick_number() },
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
    let users = state.seated().filter(|(_, place)| place.uses(id));
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

fn place(state: &State, seat: Seat, place: &Place, viewer: Viewer) -> PlaceView {
    let [adjacent, interlaced] = score::objective_shown(state, &place.loom);
    PlaceView {
        seat,
        hand: place.hand.into(),
        picked: place.pick.is_some(),
        pick: place.pick.filter(|_| viewer.sees(seat)), // R3.2
        cords: place.cords.into(),
        loom: LoomView {
            vertical: cords(&place.loom, Axis::Vertical),
            horizontal: cords(&place.loom, Axis::Horizontal),
        },
        buttons: buttons(place),
        round_buttons_left: place.buttons_left(Kind::Adjacent),
        square_buttons_left: place.buttons_left(Kind::Interlaced),
        objective: ProgressView { adjacent, interlaced },
        penalties: score::penalties(&place.loom),
        score: score::total(state, place),
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

fn buttons(place: &Place) -> Vec<ButtonView> {
    (1..)
        .zip(place.buttons)
        .filter_map(|(round, card)| {
            let card = card?;
            let points = score::card_points(place, card);
            Some(ButtonView { round, button: card.kind().button(), card, points })
        })
        .collect()
}
