//! The shapes in which clients meet a match: types only. What goes into them is decided in `view.rs`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    cards::{Button, Card, Objective, Pattern},
    components::{Axis, Colour},
    slots::{SLOTS, Slot, Slots},
};
use crate::seat::Seat;

/// A match of Trama as one viewer sees it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = trama::View)]
pub struct View {
    /// The round, from 1 to 4; 0 while the table is being set.
    #[schema(maximum = 4)]
    pub round: u8,
    /// Where the round stands.
    pub phase: PhaseView,
    /// The shared objective, once it has been drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<ObjectiveView>,
    /// The eight pattern cards on the table, the four adjacent ones first.
    #[schema(max_items = 8)]
    pub cards: Vec<CardView>,
    /// What is left in the bag.
    pub bag: BagView,
    /// What lies before each seat, in seat order.
    pub places: Vec<PlaceView>,
}

/// Where the round stands.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = trama::Phase)]
pub enum PhaseView {
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
    /// What it shows.
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

/// What lies before a seat.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = trama::Place)]
pub struct PlaceView {
    /// Whose it is.
    pub seat: Seat,
    /// The open hand. A cord that has been picked stays in it until all picks are shown.
    #[schema(max_items = 5)]
    pub hand: Vec<Colour>,
    /// Whether the seat has picked.
    pub picked: bool,
    /// What it has picked, if the viewer may see it already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pick: Option<Colour>,
    /// The cords that it has collected and not yet woven.
    #[schema(max_items = 4)]
    pub cords: Vec<Colour>,
    /// The loom.
    pub loom: LoomView,
    /// The buttons that it has placed, in order.
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
    /// Cords after the third of a colour on an axis; each costs a point.
    #[schema(minimum = 0, maximum = 10)]
    pub penalties: i64,
    /// What the loom and the buttons are worth now.
    pub score: i64,
}

/// A loom. A slot without a cord is `null`.
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

/// A woven cord and how it passes the cords that it crosses.
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
    /// How often the loom shows the card's pattern now: its points.
    #[schema(minimum = 0, maximum = 56)]
    pub points: i64,
}

/// Which patterns of the shared objective a loom shows.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = trama::ObjectiveProgress)]
pub struct ProgressView {
    /// Whether the adjacent pattern is there.
    pub adjacent: bool,
    /// Whether the interlaced pattern is there.
    pub interlaced: bool,
}

/// An event of Trama as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = trama::Event)]
pub(crate) enum EventView {
    /// The cards of the match were drawn.
    TableSet {
        /// The shared objective.
        objective: Objective,
        /// The four adjacent cards.
        #[schema(min_items = 4, max_items = 4)]
        adjacent: Vec<Card>,
        /// The four interlaced cards.
        #[schema(min_items = 4, max_items = 4)]
        interlaced: Vec<Card>,
    },
    /// A round began: every seat drew five cords.
    CordsDrawn {
        /// The round.
        #[schema(minimum = 1, maximum = 4)]
        round: u8,
        /// One hand a seat, in seat order.
        hands: Vec<Vec<Colour>>,
    },
    /// A seat picked; what, only the seat itself sees until all have.
    CordPicked {
        /// Who picked.
        seat: Seat,
        /// The colour of the cord, if it is the viewer's.
        #[serde(skip_serializing_if = "Option::is_none")]
        colour: Option<Colour>,
    },
    /// All picks are shown.
    PicksRevealed {
        /// One colour a seat, in seat order.
        picks: Vec<Colour>,
    },
    /// Every hand passed to the next seat.
    HandsPassed {
        /// What each seat holds now, in seat order.
        hands: Vec<Vec<Colour>>,
    },
    /// The last cord of every hand left the game; weaving begins.
    LastCordsDiscarded {
        /// One colour a seat, in seat order.
        cords: Vec<Colour>,
    },
    /// A seat wove a cord.
    CordWoven {
        /// Who wove it.
        seat: Seat,
        /// The colour of the cord.
        colour: Colour,
        /// The direction in which it runs.
        axis: Axis,
        /// The slot that it took.
        slot: Slot,
        /// The slots of the other axis whose cords it passes over.
        #[schema(value_type = Vec<Slot>, max_items = 8)]
        over: Slots,
        /// The slots of the other axis whose cords it passes under.
        #[schema(value_type = Vec<Slot>, max_items = 8)]
        under: Slots,
    },
    /// Every seat has woven its cords; buttons are placed next.
    WeavingFinished {},
    /// A seat placed a button.
    ButtonPlaced {
        /// Whose button it is.
        seat: Seat,
        /// The shape of the button.
        button: Button,
        /// The card.
        card: Card,
    },
    /// The fourth round ended and the match with it.
    GameEnded {},
}
