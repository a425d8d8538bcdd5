//! The state of a match: the fold of its events.

use super::{
    Options, Trama,
    cards::{Card, Objective, PatternKind},
    components::{BUTTONS_OF_A_SHAPE, Colour, ROUNDS},
    cords::Cords,
    loom::Loom,
    score,
};
use crate::{
    game::Turns,
    seat::{Seat, SeatSet},
};

/// The area of a seat: its hand, its loom and its buttons.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PlayerArea {
    /// The cords it may pick from.
    pub(crate) hand: Cords,
    /// The cord of the hand that it has picked, hidden from the others (R3.2).
    pub(crate) pick: Option<Colour>,
    /// Cords collected and not yet woven.
    pub(crate) cords: Cords,
    pub(crate) loom: Loom,
    /// Where its buttons are, by round.
    pub(crate) buttons: [Option<Card>; ROUNDS],
    /// How often a newly woven cord passed over another one.
    pub(crate) passed_over: u8,
    /// How often it passed under.
    pub(crate) passed_under: u8,
}

impl PlayerArea {
    /// The cards of a kind that hold its buttons, in the order of placing.
    pub(crate) fn cards(&self, kind: PatternKind) -> impl Iterator<Item = Card> {
        self.buttons.iter().flatten().copied().filter(move |card| card.kind() == kind)
    }

    pub(crate) fn uses(&self, card: Card) -> bool {
        self.buttons.contains(&Some(card))
    }

    /// Buttons for cards of a kind that it has not placed yet (R1.3).
    pub(crate) fn buttons_left(&self, kind: PatternKind) -> u8 {
        self.cards(kind).fold(BUTTONS_OF_A_SHAPE, |left, _| left.saturating_sub(1))
    }
}

/// The part of a round that is being played (R2.2).
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
pub struct State {
    /// From 1; 0 before the first.
    pub(crate) round: u8,
    pub(crate) phase: Phase,
    pub(crate) objective: Option<Objective>,
    /// The pattern cards on the table, adjacent ones first.
    pub(crate) cards: Vec<Card>,
    pub(crate) bag: Cords,
    pub(crate) areas: Vec<PlayerArea>,
}

impl State {
    pub(crate) fn seats(&self) -> u8 {
        u8::try_from(self.areas.len()).expect("at most five seats")
    }

    /// The points that a seat would have if it placed its remaining buttons on the cards that its loom shows best.
    #[must_use]
    pub fn best_points(&self, seat: Seat) -> i64 {
        let area = &self.areas[seat.index()];
        let open = [PatternKind::Adjacent, PatternKind::Interlaced].map(|kind| {
            let cards = self.cards.iter().filter(|card| card.kind() == kind && !area.uses(**card));
            let mut points: Vec<i64> = cards.map(|card| score::card_points(area, *card)).collect();
            points.sort_unstable_by(|one, two| two.cmp(one));
            points.iter().take(area.buttons_left(kind).into()).sum::<i64>()
        });
        score::total(self, area) + open.iter().sum::<i64>()
    }

    /// Which patterns of the shared objective the loom of a seat shows: the adjacent one, the interlaced one.
    #[must_use]
    pub fn objective_shown(&self, seat: Seat) -> [bool; 2] {
        score::objective_shown(self, &self.areas[seat.index()].loom)
    }

    /// Seats with their areas, in order.
    pub(crate) fn seated(&self) -> impl Iterator<Item = (Seat, &PlayerArea)> {
        Seat::all(self.seats()).zip(&self.areas)
    }

    /// The position of the current round among a seat's buttons.
    pub(crate) fn button_index(&self) -> usize {
        usize::from(self.round.saturating_sub(1)).min(ROUNDS - 1)
    }

    /// Whether a seat has placed its button of this round (R5.1).
    pub(crate) fn has_placed(&self, area: &PlayerArea) -> bool {
        area.buttons[self.button_index()].is_some()
    }

    /// The current pick of the round, from 1.
    pub(crate) fn pick_number(&self) -> u8 {
        self.areas.first().map_or(1, |area| area.cords.len() + 1)
    }
}

impl Turns for Trama {
    fn new(seats: u8, _options: &Options, _rules: u16) -> State {
        State {
            round: 0,
            phase: Phase::Setup,
            objective: None,
            cards: Vec::new(),
            bag: Cords::BAG,
            areas: vec![PlayerArea::default(); seats.into()],
        }
    }

    fn to_act(state: &State) -> SeatSet {
        let waits_for = |area: &PlayerArea| match state.phase {
            Phase::Draft => area.pick.is_none(),
            Phase::Weaving => !area.cords.is_empty(),
            Phase::Pattern => !state.has_placed(area),
            Phase::Setup | Phase::Over => false,
        };
        state.seated().filter(|(_, area)| waits_for(area)).map(|(seat, _)| seat).collect()
    }

    /// Within a phase, no seat affects another's decisions (R2.2). Each pick counts as a phase here.
    fn epoch(state: &State) -> u64 {
        let phase = match state.phase {
            Phase::Setup => 0,
            Phase::Draft => u64::from(state.pick_number()),
            Phase::Weaving => 6,
            Phase::Pattern => 7,
            Phase::Over => 8,
        };
        u64::from(state.round) * 10 + phase
    }

    fn finished(state: &State) -> bool {
        state.phase == Phase::Over
    }
}
