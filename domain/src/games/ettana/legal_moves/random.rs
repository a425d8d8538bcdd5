//! Random moves for a seat without a player.
//!
//! Most legal moves are swaps of skeins, and designs rarely appear by chance: seats that choose blindly take
//! thousands of moves to finish a match. So a seat without a player completes a design if one move does it, buys designs
//! if it holds few, and otherwise chooses the kind of move before its details.

use std::mem::{Discriminant, discriminant};

use super::super::{
    Ettana,
    board::{Pair, Skeins, TILES, around},
    designs::{Designs, claims},
    moves::{Move, Play},
    state::State,
};
use crate::{chance::Chance, game::LegalMoves, seat::Seat};

/// A seat with fewer designs buys designs first.
const FEW_DESIGNS: u32 = 4;

pub(super) fn random_move(state: &State, seat: Seat, chance: &mut dyn Chance) -> Option<Move> {
    let mut outlook = Outlook::new(state, seat);
    let moves: Vec<(Promise, Move)> =
        Ettana::legal_moves(state, seat).map(|mv| (outlook.promise(&mv), mv)).collect();
    let best = moves.iter().map(|(promise, _)| *promise).max()?;
    let mut choice: Vec<Move> =
        moves.into_iter().filter(|(promise, _)| *promise == best).map(|(_, mv)| mv).collect();
    if best == Promise::Nothing {
        let mut kinds: Vec<MoveKind> = Vec::new();
        for mv in &choice {
            if !kinds.contains(&kind(mv)) {
                kinds.push(kind(mv));
            }
        }
        let chosen = chance.pick(&kinds);
        choice.retain(|mv| kind(mv) == chosen);
    }
    Some(choice.swap_remove(chance.index(choice.len())))
}

/// A move without its details.
type MoveKind = (Discriminant<Move>, Option<Discriminant<Play>>);

fn kind(mv: &Move) -> MoveKind {
    let card = if let Move::Play { card } = mv { Some(discriminant(card)) } else { None };
    (discriminant(mv), card)
}

/// What a move does for the designs in a hand, from least to most valuable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Promise {
    Nothing,
    /// It buys a design for a hand with few.
    Widens,
    /// It allows a free swap that completes a design.
    Approaches,
    /// It completes a design.
    Completes,
    /// It claims a design.
    Claims,
}

/// The board as seen by a seat with these designs.
struct Outlook<'a> {
    skeins: &'a Skeins,
    hand: Designs,
    /// Whether a free swap around a tile completes a design, computed at most once.
    near: [Option<bool>; TILES],
}

impl<'a> Outlook<'a> {
    fn new(state: &'a State, seat: Seat) -> Self {
        Self { skeins: &state.skeins, hand: state.weaver(seat).designs, near: [None; TILES] }
    }

    fn promise(&mut self, mv: &Move) -> Promise {
        let (fulfilled, promise) = match mv {
            Move::Claim { .. } => (true, Promise::Claims),
            Move::FreeSwap { octagons }
            | Move::BuySwap { octagons }
            | Move::Play { card: Play::Swap { octagons } } => {
                (self.completed_by(*octagons), Promise::Completes)
            }
            Move::Play { card: Play::ReplaceSkein { octagon, colour } } => {
                let mut skeins = *self.skeins;
                skeins[usize::from(*octagon)] = *colour;
                (self.lies_on(&skeins), Promise::Completes)
            }
            Move::Jump { tile } | Move::Play { card: Play::Move { tile } } => {
                (self.nears(*tile), Promise::Approaches)
            }
            Move::Walk { path } => {
                (path.last().is_some_and(|tile| self.nears(*tile)), Promise::Approaches)
            }
            Move::BuyDesign {} => (self.hand.len() < FEW_DESIGNS, Promise::Widens),
            Move::Settle { .. }
            | Move::Roll {}
            | Move::Collect {}
            | Move::BuyAction {}
            | Move::Play { .. }
            | Move::ExchangeDesign { .. }
            | Move::EndTurn {} => (false, Promise::Nothing),
        };
        if fulfilled { promise } else { Promise::Nothing }
    }

    fn lies_on(&self, skeins: &Skeins) -> bool {
        claims(skeins, self.hand).next().is_some()
    }

    fn completed_by(&self, pair: Pair) -> bool {
        let mut skeins = *self.skeins;
        skeins.swap(pair.one.into(), pair.other.into());
        self.lies_on(&skeins)
    }

    fn nears(&mut self, tile: u8) -> bool {
        if let Some(known) = self.near[usize::from(tile)] {
            return known;
        }
        let near = Pair::among(&around(tile)).any(|pair| self.completed_by(pair));
        self.near[usize::from(tile)] = Some(near);
        near
    }
}
