//! Walking over the tiles (R5.2, R5.3).

use std::ops::ControlFlow;

use super::super::{board::neighbours, refusal::Refusal, state::State};
use crate::seat::Seat;

/// The longest walk: the highest number on the die.
const LONGEST: usize = 6;

/// The seats that are paid a toll for this walk, in order, or the rule that it breaks.
pub(crate) fn tolls(
    state: &State,
    seat: Seat,
    path: &[u8],
    steps: u8,
) -> Result<Vec<Seat>, Refusal> {
    if path.len() != usize::from(steps) {
        return Err(Refusal::WrongLength); // R5.2
    }
    let weaver = state.weaver(seat);
    let mut here = weaver.tile.ok_or(Refusal::SettleFirst)?;
    let mut visited = 1_u32 << here;
    let mut tolls = Vec::new();
    for (index, tile) in path.iter().enumerate() {
        if state.number(*tile).is_none() {
            return Err(Refusal::NoSuchTile); // R1.1
        }
        if !neighbours(here).any(|next| next == *tile) {
            return Err(Refusal::NotBeside); // R5.2
        }
        if visited & 1 << tile != 0 {
            return Err(Refusal::TileTwice); // R5.2
        }
        if let Some(owner) = state.occupant(*tile) {
            if index + 1 == path.len() {
                return Err(Refusal::TileOccupied); // R5.2
            }
            tolls.push(owner); // R5.3
        }
        visited |= 1 << tile;
        here = *tile;
    }
    if tolls.len() > weaver.tokens.into() {
        return Err(Refusal::CannotPayToll); // R5.3
    }
    Ok(tolls)
}

/// Every walk of this many steps.
pub(crate) fn walks(state: &State, seat: Seat, steps: u8) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let tokens = state.weaver(seat).tokens;
    let _ = search(state, seat, steps, tokens, &mut |path| {
        found.push(path.to_vec());
        ControlFlow::Continue(())
    });
    found
}

/// Whether there is any walk of this many steps for this many tokens.
pub(crate) fn can_walk(state: &State, seat: Seat, steps: u8, tokens: u8) -> bool {
    search(state, seat, steps, tokens, &mut |_| ControlFlow::Break(())).is_break()
}

fn search(
    state: &State,
    seat: Seat,
    steps: u8,
    tokens: u8,
    found: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(start) = state.weaver(seat).tile else { return ControlFlow::Continue(()) };
    let others = Seat::all(state.seats()).filter(|other| *other != seat);
    let occupied = others
        .filter_map(|other| state.weaver(other).tile)
        .fold(0_u32, |occupied, tile| occupied | 1 << tile);
    let mut walker =
        Walker { occupied, steps: usize::from(steps).min(LONGEST), path: [0; LONGEST] };
    walker.go(start, 0, 1 << start, tokens, found)
}

struct Walker {
    occupied: u32,
    steps: usize,
    path: [u8; LONGEST],
}

impl Walker {
    fn go(
        &mut self,
        here: u8,
        taken: usize,
        visited: u32,
        tokens: u8,
        found: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if taken == self.steps {
            return found(&self.path[..taken]);
        }
        for next in neighbours(here).filter(|next| visited & 1 << next == 0) {
            let toll = u8::from(self.occupied & 1 << next != 0);
            let last = taken + 1 == self.steps;
            if toll > tokens || (last && toll > 0) {
                continue;
            }
            self.path[taken] = next;
            self.go(next, taken + 1, visited | 1 << next, tokens - toll, found)?;
        }
        ControlFlow::Continue(())
    }
}
