//! The state of a match: the fold of its events.

use super::{
    Mode, Options, Tapestry,
    components::{Card, Colour, SLOTS, SPARE},
    events::EndReason,
    weave::Weave,
};
use crate::{
    game::Turns,
    seat::{Seat, SeatSet},
    time::Timestamp,
};

/// The part of a turn that is being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Setup,
    Drawing,
    /// The card in hand, the slot drawn from this turn, and the exchanges since.
    Holding {
        card: Card,
        slot: u8,
        chain: u32,
    },
    Over {
        reason: EndReason,
    },
}

/// The state of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub(crate) mode: Mode,
    pub(crate) phase: Phase,
    pub(crate) tapestry: Weave,
    pub(crate) area: [Option<Card>; SLOTS],
    /// The top card is the last one.
    pub(crate) deck: Vec<Card>,
    pub(crate) discards: Vec<Card>,
    pub(crate) draws: u8,
    pub(crate) exchanges: u32,
    pub(crate) longest_chain: u32,
    pub(crate) started_at: Timestamp,
    /// When the last event happened.
    pub(crate) at: Timestamp,
}

impl State {
    /// The tapestry.
    #[must_use]
    pub const fn tapestry(&self) -> &Weave {
        &self.tapestry
    }

    /// The card in hand.
    #[must_use]
    pub const fn hand(&self) -> Option<Card> {
        match self.phase {
            Phase::Holding { card, .. } => Some(card),
            Phase::Setup | Phase::Drawing | Phase::Over { .. } => None,
        }
    }

    /// The cards that are still to come: those of the draw area and of the deck.
    pub fn to_come(&self) -> impl Iterator<Item = Card> {
        self.area.iter().flatten().chain(&self.deck).copied()
    }

    /// How many cards were discarded.
    #[must_use]
    pub fn discards(&self) -> usize {
        self.discards.len()
    }

    /// The colour on the back of the deck's top card (R1.2).
    pub(crate) fn top(&self) -> Option<Colour> {
        self.deck.last().map(|card| card.colour)
    }

    /// How many cards of a colour were discarded.
    pub(crate) fn discarded(&self, colour: Colour) -> usize {
        self.discards.iter().filter(|card| card.colour == colour).count()
    }

    /// Whether too many cards are discarded to complete the tapestry (R7.4).
    pub(crate) fn is_loss_certain(&self) -> bool {
        self.discards.len() > SPARE
    }

    /// How many more cards may be discarded before the loss is certain (R7.4).
    pub(crate) fn spare(&self) -> usize {
        SPARE.saturating_sub(self.discards.len())
    }

    /// From the end of the setup to the last event (R8.1).
    pub(crate) const fn elapsed_ms(&self) -> i64 {
        self.at.millis_since(self.started_at)
    }

    /// Why the match ends now that the hand is empty, if it does (R7).
    pub(crate) fn end_reason(&self) -> Option<EndReason> {
        let complete = self.tapestry.is_complete();
        let exhausted = self.deck.is_empty() && self.area.iter().all(Option::is_none);
        match (complete, exhausted, self.mode) {
            (true, _, Mode::Time) | (true, true, Mode::Discards) => Some(EndReason::Completed), // R7.1, R7.2
            (false, true, _) => Some(EndReason::CardsExhausted), // R7.2
            (false, false, _) | (true, false, Mode::Discards) => None,
        }
    }
}

impl Turns for Tapestry {
    fn new(_seats: u8, options: &Options, _rules: u16) -> State {
        State {
            mode: options.mode,
            phase: Phase::Setup,
            tapestry: Weave::new(),
            area: [None; SLOTS],
            deck: Vec::new(),
            discards: Vec::new(),
            draws: 0,
            exchanges: 0,
            longest_chain: 0,
            started_at: Timestamp::default(),
            at: Timestamp::default(),
        }
    }

    fn to_act(state: &State) -> SeatSet {
        match state.phase {
            Phase::Drawing | Phase::Holding { .. } => SeatSet::one(Seat::FIRST),
            Phase::Setup | Phase::Over { .. } => SeatSet::NONE,
        }
    }

    /// Constant: there is no other seat whose moves could change anything.
    fn epoch(_state: &State) -> u64 {
        0
    }

    fn finished(state: &State) -> bool {
        matches!(state.phase, Phase::Over { .. })
    }
}
