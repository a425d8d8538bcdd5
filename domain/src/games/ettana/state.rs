//! The state of a match: the fold of its events.
//!
//! The decks have no order: each card is drawn by chance, so nothing in the state reveals the next one.

use super::{
    Ettana, Options,
    board::{OCTAGONS, Skeins, TILES, around, tiles},
    components::{ActionCard, Actions, Colour, POINTS_TO_WIN, TOKENS},
    designs::{DesignId, Designs, tallies},
    events::Roll,
};
use crate::{
    game::Turns,
    seat::{Seat, SeatSet},
};

/// What a seat has: its cards, its tokens and its piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Weaver {
    /// The number that the seat threw for its tile (R2.3).
    pub(crate) rolled: u8,
    pub(crate) tile: Option<u8>,
    pub(crate) tokens: u8,
    pub(crate) designs: Designs,
    pub(crate) actions: Actions,
    pub(crate) claimed: Designs,
    pub(crate) victory_cards: u8,
    pub(crate) counters: Counters,
}

impl Weaver {
    /// Points so far (R7.4, R6.14).
    pub(crate) fn points(&self) -> u8 {
        self.claimed.iter().map(|design| design.card().points).sum::<u8>() + self.victory_cards
    }
}

/// Counts of a seat, for statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counters {
    pub(crate) income: u32,
    pub(crate) stolen: u32,
    pub(crate) tolls_received: u32,
    pub(crate) from_cards: u32,
    pub(crate) tolls_paid: u32,
    pub(crate) tokens_lost: u32,
    pub(crate) played: [u32; ActionCard::ALL.len()],
    pub(crate) actions_bought: u32,
    pub(crate) free_swaps: u32,
    pub(crate) bought_swaps: u32,
    pub(crate) designs_drawn: u32,
    pub(crate) designs_exchanged: u32,
}

/// What the active seat has done since collecting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TurnProgress {
    /// Whether it has acted at all (R5.10).
    pub(crate) acted: bool,
    /// Whether its piece has moved (R5.1).
    pub(crate) moved: bool,
    /// Whether the move was the last action, so that the free swap is possible (R5.6).
    pub(crate) just_moved: bool,
}

/// The part of a turn that the active seat is playing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnPart {
    /// It rolls.
    Rolling,
    /// It collects.
    Collecting,
    /// It acts, and has not moved its piece.
    Moving,
    /// It acts, and has just moved its piece.
    JustMoved,
    /// It acts, and has moved its piece.
    Moved,
    /// No turn is being played.
    Other,
}

/// The part of the match that is being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Setup,
    Settling,
    Rolling,
    Rolled { roll: Roll },
    Acting { roll: Roll, progress: TurnProgress },
    Over { winner: Seat },
}

/// The state of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The version of the rules under which the match was created.
    pub(crate) rules: u16,
    pub(crate) weavers: Vec<Weaver>,
    pub(crate) skeins: Skeins,
    pub(crate) tiles: [u8; TILES],
    pub(crate) skein_reserve: [u8; Colour::ALL.len()],
    pub(crate) tile_reserve: [u8; 2],
    /// Designs that have never been drawn.
    pub(crate) design_deck: Designs,
    /// Designs under the deck, the next one first.
    pub(crate) returned: Vec<DesignId>,
    pub(crate) action_deck: Actions,
    pub(crate) discards: Actions,
    pub(crate) active: Seat,
    pub(crate) turn: u32,
    pub(crate) phase: Phase,
}

impl State {
    pub(crate) fn seats(&self) -> u8 {
        u8::try_from(self.weavers.len()).expect("at most four weavers")
    }

    pub(crate) fn weaver(&self, seat: Seat) -> &Weaver {
        &self.weavers[seat.index()]
    }

    /// The points of a seat so far (R7.4, R6.14).
    #[must_use]
    pub fn points(&self, seat: Seat) -> u8 {
        self.weaver(seat).points()
    }

    /// The tokens of a seat.
    #[must_use]
    pub fn tokens(&self, seat: Seat) -> u8 {
        self.weaver(seat).tokens
    }

    /// The number of action cards in the hand of a seat.
    #[must_use]
    pub fn actions(&self, seat: Seat) -> u8 {
        self.weaver(seat).actions.len()
    }

    /// The designs in the hand of a seat, with their points and the least number of skeins that would have to be of another
    /// colour.
    pub fn designs(&self, seat: Seat) -> impl Iterator<Item = (DesignId, u8, u32)> {
        let tallies = tallies(&self.skeins);
        self.weaver(seat)
            .designs
            .iter()
            .map(move |design| (design, design.card().points, design.card().distance(&tallies)))
    }

    /// Which part of its turn the active seat is playing.
    #[must_use]
    pub const fn turn_part(&self) -> TurnPart {
        match self.phase {
            Phase::Setup | Phase::Settling | Phase::Over { .. } => TurnPart::Other,
            Phase::Rolling => TurnPart::Rolling,
            Phase::Rolled { .. } => TurnPart::Collecting,
            Phase::Acting { progress: TurnProgress { just_moved: true, .. }, .. } => {
                TurnPart::JustMoved
            }
            Phase::Acting { progress: TurnProgress { moved, .. }, .. } => {
                if moved {
                    TurnPart::Moved
                } else {
                    TurnPart::Moving
                }
            }
        }
    }

    /// The tiles to which the piece of the active seat may jump (R5.4).
    pub fn jumps(&self) -> impl Iterator<Item = u8> {
        let number = self.roll().map(|roll| roll.number);
        tiles().filter(move |tile| self.number(*tile) == number && self.occupant(*tile).is_none())
    }

    /// The octagons around the piece of a seat.
    #[must_use]
    pub fn near(&self, seat: Seat) -> Option<[u8; 4]> {
        self.weaver(seat).tile.map(around)
    }

    /// The colour of the skein on an octagon.
    #[must_use]
    pub fn skein(&self, octagon: u8) -> Option<Colour> {
        self.skeins.get(usize::from(octagon)).copied()
    }

    /// The same state with two skeins swapped.
    #[must_use]
    pub fn swapped(&self, one: u8, other: u8) -> Self {
        let mut state = self.clone();
        state.skeins.swap(one.into(), other.into());
        state
    }

    /// Tokens in the supply.
    pub(crate) fn supply(&self) -> u8 {
        TOKENS.saturating_sub(self.weavers.iter().map(|weaver| weaver.tokens).sum())
    }

    /// The seat whose piece is on a tile.
    pub(crate) fn occupant(&self, tile: u8) -> Option<Seat> {
        Seat::all(self.seats()).find(|seat| self.weaver(*seat).tile == Some(tile))
    }

    /// The number of a tile.
    pub(crate) fn number(&self, tile: u8) -> Option<u8> {
        self.tiles.get(usize::from(tile)).copied()
    }

    /// The tokens that a colour pays to each seat (R4.1).
    pub(crate) fn income(&self, colour: Colour) -> Vec<u8> {
        let beside =
            |tile| around(tile).into_iter().map(|octagon| self.skeins[usize::from(octagon)]);
        self.weavers
            .iter()
            .map(|weaver| match weaver.tile {
                Some(tile) => beside(tile).filter(|skein| *skein == colour).map(|_| 1).sum(),
                None => 0,
            })
            .collect()
    }

    pub(crate) fn designs_left(&self) -> usize {
        self.design_deck.len() as usize + self.returned.len()
    }

    /// Whether there is an action card left to draw (R6.2).
    pub(crate) fn actions_left(&self) -> bool {
        !self.action_deck.is_empty() || !self.discards.is_empty()
    }

    /// The dice on the table.
    pub(crate) const fn roll(&self) -> Option<Roll> {
        match self.phase {
            Phase::Rolled { roll } | Phase::Acting { roll, .. } => Some(roll),
            Phase::Setup | Phase::Settling | Phase::Rolling | Phase::Over { .. } => None,
        }
    }

    /// The seat that has won, if one has (R8.1).
    pub(crate) fn champion(&self) -> Option<Seat> {
        Seat::all(self.seats()).find(|seat| self.weaver(*seat).points() >= POINTS_TO_WIN)
    }

    /// The round that is being played; a round is one turn of every seat.
    pub(crate) fn round(&self) -> u32 {
        self.turn.div_ceil(self.seats().into())
    }
}

impl Turns for Ettana {
    fn new(seats: u8, _options: &Options, rules: u16) -> State {
        State {
            rules,
            weavers: vec![Weaver::default(); seats.into()],
            skeins: [Colour::Green; OCTAGONS],
            tiles: [0; TILES],
            skein_reserve: [1; Colour::ALL.len()], // R1.2
            tile_reserve: [0; 2],
            design_deck: Designs::ALL,
            returned: Vec::new(),
            action_deck: Actions::ALL,
            discards: Actions::default(),
            active: Seat::FIRST,
            turn: 0,
            phase: Phase::Setup,
        }
    }

    fn to_act(state: &State) -> SeatSet {
        match state.phase {
            Phase::Settling | Phase::Rolling | Phase::Rolled { .. } | Phase::Acting { .. } => {
                SeatSet::one(state.active)
            }
            Phase::Setup | Phase::Over { .. } => SeatSet::NONE,
        }
    }

    /// Only the active seat decides anything, so the epoch changes when another seat becomes active.
    fn epoch(state: &State) -> u64 {
        let settled = state.weavers.iter().filter(|weaver| weaver.tile.is_some()).count();
        let over = matches!(state.phase, Phase::Over { .. });
        u64::from(state.turn) + settled as u64 + u64::from(over)
    }

    fn finished(state: &State) -> bool {
        matches!(state.phase, Phase::Over { .. })
    }
}
