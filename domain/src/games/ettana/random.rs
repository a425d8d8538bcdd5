//! Moves for a seat that nobody plays.
//!
//! Among all legal moves most are swaps of skeins, and designs hardly ever come about by accident: seats that choose
//! blindly take thousands of moves to finish a match. So a seat without a player completes a design where one move
//! does it, sees to it that it has some to complete, and otherwise chooses what kind of thing to do before how.

use std::mem::{Discriminant, discriminant};

use super::{
    board::{Pair, Skeins, around},
    decide::legal_moves,
    designs::{Designs, claims},
    moves::{Move, Play},
    state::State,
};
use crate::{chance::Chance, seat::Seat};

/// A hand below this buys designs before anything else.
const FEW_DESIGNS: u32 = 4;

pub(crate) fn random_move(state: &State, seat: Seat, chance: &mut dyn Chance) -> Option<Move> {
    let moves: Vec<Move> = legal_moves(state, seat).collect();
    let hand = state.weaver(seat).designs;
    let best = moves.iter().map(|mv| promise(state, hand, mv)).max()?;
    let mut choice = moves;
    if best > Promise::Nothing {
        choice.retain(|mv| promise(state, hand, mv) == best);
    } else {
        let mut kinds: Vec<Kind> = Vec::new();
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

type Kind = (Discriminant<Move>, Option<Discriminant<Play>>);

fn kind(mv: &Move) -> Kind {
    let card = if let Move::Play { card } = mv { Some(discriminant(card)) } else { None };
    (discriminant(mv), card)
}

/// What a move has to do with the designs of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Promise {
    Nothing,
    /// A design is bought by a hand that has few.
    Widens,
    /// The free swap after this move can complete a design.
    Approaches,
    /// A design will lie on the board.
    Completes,
    /// A design is claimed.
    Claims,
}

fn promise(state: &State, hand: Designs, mv: &Move) -> Promise {
    let skeins = &state.skeins;
    let completes = |skeins: &Skeins| claims(skeins, hand).next().is_some();
    let (fulfilled, promise) = match mv {
        Move::Claim { .. } => (true, Promise::Claims),
        Move::FreeSwap { octagons }
        | Move::BuySwap { octagons }
        | Move::Play { card: Play::Swap { octagons } } => {
            (completes(&swapped(skeins, *octagons)), Promise::Completes)
        }
        Move::Play { card: Play::ReplaceSkein { octagon, colour } } => {
            let mut skeins = *skeins;
            skeins[usize::from(*octagon)] = *colour;
            (completes(&skeins), Promise::Completes)
        }
        Move::Jump { tile } | Move::Play { card: Play::Move { tile } } => {
            (approaches(skeins, *tile, completes), Promise::Approaches)
        }
        Move::Walk { path } => {
            let near = path.last().is_some_and(|tile| approaches(skeins, *tile, completes));
            (near, Promise::Approaches)
        }
        Move::BuyDesign {} => (hand.len() < FEW_DESIGNS, Promise::Widens),
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

fn approaches(skeins: &Skeins, tile: u8, completes: impl Fn(&Skeins) -> bool) -> bool {
    Pair::among(&around(tile)).any(|pair| completes(&swapped(skeins, pair)))
}

fn swapped(skeins: &Skeins, pair: Pair) -> Skeins {
    let mut skeins = *skeins;
    skeins.swap(pair.one.into(), pair.other.into());
    skeins
}
