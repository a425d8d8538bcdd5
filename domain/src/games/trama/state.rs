//! The state of a match: the fold of its events.

use super::{
    cards::{Card, Kind, Objective},
    components::{BUTTONS_OF_A_SHAPE, Colour, ROUNDS},
    cords::Cords,
    loom::Loom,
};
use crate::seat::{Seat, SeatSet};

/// What lies before a seat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// What it may pick from.
    pub(crate) hand: Cords,
    /// The cord of the hand that it has picked, hidden from the others (R3.2).
    pub(crate) pick: Option<Colour>,
    /// What it has collected and not yet woven.
    pub(crate) cords: Cords,
    pub(crate) loom: Loom,
    /// Where its buttons are, by round.
    pub(crate) buttons: [Option<Card>; ROUNDS],
    /// How often a cord of its passed over one that was on the loom already.
    pub(crate) passed_over: u8,
    /// How often under.
    pub(crate) passed_under: u8,
}

impl Place {
    /// The cards of a kind that hold its buttons, in the order of placing.
    pub(crate) fn cards(&self, kind: Kind) -> impl Iterator<Item = Card> {
        self.buttons.iter().flatten().copied().filter(move |card| card.kind() == kind)
    }

    pub(crate) fn uses(&self, card: Card) -> bool {
        self.buttons.contains(&Some(card))
    }

    /// Buttons for cards of a kind that it has not placed yet (R1.3).
    pub(crate) fn buttons_left(&self, kind: Kind) -> u8 {
        self.cards(kind).fold(BUTTONS_OF_A_SHAPE, |left, _| left.saturating_sub(1))
    }
}

/// Where a round stands (R2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Setup,
    Draft,
    Weaving,
    Pattern,
    Over,
}

/// The state of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State {
    /// From 1; 0 before the first.
    pub(crate) round: u8,
    pub(crate) phase: Phase,
    pub(crate) objective: Option<Objective>,
    /// The pattern cards on the table, adjacent ones first.
    pub(crate) cards: Vec<Card>,
    pub(crate) bag: Cords,
    pub(crate) places: Vec<Place>,
}

impl State {
    pub(crate) fn new(seats: u8) -> Self {
        Self {
            round: 0,
            phase: Phase::Setup,
            objective: None,
            cards: Vec::new(),
            bag: Cords::BAG,
            places: vec![Place::default(); seats.into()],
        }
    }

    pub(crate) fn seats(&self) -> u8 {
        u8::try_from(self.places.len()).unwrap_or(u8::MAX)
    }

    /// Seats with their places, in order.
    pub(crate) fn seated(&self) -> impl Iterator<Item = (Seat, &Place)> {
        Seat::all(self.seats()).zip(&self.places)
    }

    /// The position of the current round among a seat's buttons.
    pub(crate) fn button_index(&self) -> usize {
        usize::from(self.round.saturating_sub(1)).min(ROUNDS - 1)
    }

    /// Whether a seat has placed its button of this round (R5.1).
    pub(crate) fn has_placed(&self, place: &Place) -> bool {
        place.buttons[self.button_index()].is_some()
    }

    /// Which pick of the round is being made, from 1.
    pub(crate) fn pick_number(&self) -> u8 {
        self.places.first().map_or(1, |place| place.cords.len() + 1)
    }

    pub(crate) fn to_act(&self) -> SeatSet {
        let waits_for = |place: &Place| match self.phase {
            Phase::Draft => place.pick.is_none(),
            Phase::Weaving => !place.cords.is_empty(),
            Phase::Pattern => !self.has_placed(place),
            Phase::Setup | Phase::Over => false,
        };
        self.seated().filter(|(_, place)| waits_for(place)).map(|(seat, _)| seat).collect()
    }

    /// Seats never touch one another's decisions within a phase (R2.2), and each pick is a phase in this sense.
    pub(crate) fn epoch(&self) -> u64 {
        let step = match self.phase {
            Phase::Setup => 0,
            Phase::Draft => u64::from(self.pick_number()),
            Phase::Weaving => 6,
            Phase::Pattern => 7,
            Phase::Over => 8,
        };
        u64::from(self.round) * 10 + step
    }
}
