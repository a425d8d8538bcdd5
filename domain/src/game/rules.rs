//! The rules: whose turn it is, what a move leads to, what an event changes, and which moves are legal.

use serde::Serialize;
use utoipa::ToSchema;

use super::Game;
use crate::{
    chance::Chance,
    seat::{Seat, SeatSet},
    time::Timestamp,
};

/// What `setup` and `decide` are handed beside the state: luck and time.
pub struct Context<'a> {
    /// The only source of luck.
    pub chance: &'a mut dyn Chance,
    /// When the command was accepted for decision.
    pub at: Timestamp,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("at", &self.at).finish_non_exhaustive()
    }
}

/// The course of a match: its first state, who is to act, and whether it is over.
pub trait Turns: Game {
    /// The state before the first event. `rules` is the version of the rules under which the match was created; it is
    /// played by them to its end.
    fn new(seats: u8, options: &Self::Options, rules: u16) -> Self::State;

    /// The seats that the match waits for. Others may have moves as well.
    fn to_act(state: &Self::State) -> SeatSet;

    /// A number that changes whenever a move of another seat may have changed what a seat is deciding upon. While it
    /// stays the same, moves of different seats never make one another stale.
    fn epoch(state: &Self::State) -> u64;

    /// Whether the rules have ended the match.
    fn finished(state: &Self::State) -> bool;
}

/// What a move leads to. All luck is drawn here; events carry its outcome.
pub trait Decide: Game {
    /// The events that set the table; drawn once, when the last seat is taken.
    fn setup(state: &Self::State, cx: &mut Context<'_>) -> Vec<Self::Event>;

    /// What a move leads to.
    ///
    /// # Errors
    /// The rule that the move breaks.
    fn decide(
        state: &Self::State,
        seat: Seat,
        mv: &Self::Move,
        cx: &mut Context<'_>,
    ) -> Result<Vec<Self::Event>, Self::Refusal>;
}

/// What an event changes.
pub trait Evolve: Game {
    /// Takes in a fact. Total: a fact cannot be refused, and needs no luck.
    fn evolve(state: &mut Self::State, event: &Self::Event, at: Timestamp);
}

/// The moves that `decide` accepts: all of them, and nothing else.
pub trait LegalMoves: Game {
    /// Every legal move of a seat, lazily.
    fn legal_moves(state: &Self::State, seat: Seat) -> Box<dyn Iterator<Item = Self::Move> + '_>;

    /// The legal moves as clients are shown them; those of [`Self::legal_moves`] unless there are too many.
    fn listing(state: &Self::State, seat: Seat) -> Listing<Self::Move> {
        Listing::complete(Self::legal_moves(state, seat))
    }

    /// A move for a seat that nobody plays: one of the listing, each as likely as the others, unless aimless play
    /// would hardly ever end the match.
    fn random_move(state: &Self::State, seat: Seat, chance: &mut dyn Chance) -> Option<Self::Move> {
        let mut moves = Self::listing(state, seat).moves;
        (!moves.is_empty()).then(|| moves.swap_remove(chance.index(moves.len())).mv)
    }
}

/// Legal moves as clients are shown them.
#[derive(Debug, Clone)]
pub struct Listing<M> {
    /// Each can be made as it is.
    pub moves: Vec<Listed<M>>,
    /// Whether every legal move is among them.
    pub complete: bool,
}

/// A legal move, and what of it may be filled in differently.
#[derive(Debug, Clone)]
pub struct Listed<M> {
    /// A legal move.
    pub mv: M,
    /// The field that may vary, if this entry stands for more moves than it names.
    pub fill: Option<Fill>,
}

impl<M> Listing<M> {
    /// A listing that names every legal move.
    pub fn complete(moves: impl Iterator<Item = M>) -> Self {
        Self { moves: moves.map(|mv| Listed { mv, fill: None }).collect(), complete: true }
    }
}

/// How a field of a listed move may be filled in: any subset of `among`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Fill {
    /// The field of the move.
    #[schema(value_type = String, example = "over")]
    pub field: &'static str,
    /// Any subset of these makes a legal move, the empty one included.
    pub among: Vec<u8>,
}
