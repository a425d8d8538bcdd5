//! What is known about Ettana: designs that nearly lie on the board are worth points, and swaps bring them closer.

use domain::{
    chance::Chance,
    erased::{AnyState, GameMove},
    games::ettana::{Move, Pair, State, TurnPart},
    seat::Seat,
};

use crate::knowledge::Knowledge;

pub(crate) struct Ettana;

/// How many random swaps the policy compares.
const COMPARED: usize = 6;

impl Knowledge for Ettana {
    fn expected(&self, state: &dyn AnyState) -> Vec<f64> {
        let Some(typed) = state.as_any().downcast_ref::<State>() else { return Vec::new() };
        let seats = u8::try_from(state.standings().seats.len()).unwrap_or(0);
        Seat::all(seats).map(|seat| expected(typed, seat)).collect()
    }

    fn spread(&self) -> f64 {
        2.5
    }

    /// Of the walks to a tile, only the first, which pays no more tolls than the others, and of claims only those without a
    /// place.
    fn candidates(&self, state: &dyn AnyState, seat: Seat) -> Vec<GameMove> {
        let mut ends = 0_u32;
        state
            .moves(seat)
            .filter(|mv| match mv.as_any().downcast_ref::<Move>() {
                Some(Move::Walk { path }) => {
                    let end = path.last().map_or(0, |tile| 1 << tile);
                    let new = ends & end == 0;
                    ends |= end;
                    new
                }
                Some(Move::Claim { at, .. }) => at.is_none(),
                _ => true,
            })
            .collect()
    }

    fn policy(&self, any: &dyn AnyState, seat: Seat, chance: &mut dyn Chance) -> Option<GameMove> {
        let state = any.as_any().downcast_ref::<State>()?;
        let wrap = |mv: Move| any.wrap_move(Box::new(mv));
        let claim = || state.designs(seat).find(|(_, _, distance)| *distance == 0);
        match state.turn_part() {
            TurnPart::Rolling => wrap(Move::Roll {}),
            TurnPart::Collecting => wrap(Move::Collect {}),
            TurnPart::Other => any.random_move(seat, chance),
            TurnPart::Moving | TurnPart::JustMoved | TurnPart::Moved
                if let Some((design, _, _)) = claim() =>
            {
                wrap(Move::Claim { design, at: None })
            }
            TurnPart::Moving => {
                let jumps: Vec<u8> = state.jumps().collect();
                if !jumps.is_empty() {
                    return wrap(Move::Jump { tile: chance.pick(&jumps) });
                }
                // Walks are listed first.
                let mut walks: Vec<GameMove> = any.moves(seat).take(4).collect();
                (!walks.is_empty()).then(|| walks.swap_remove(chance.index(walks.len())))
            }
            TurnPart::JustMoved if let Some(pair) = free_swap(state, seat) => {
                wrap(Move::FreeSwap { octagons: pair })
            }
            TurnPart::JustMoved | TurnPart::Moved if state.tokens(seat) >= 3 => {
                if state.designs(seat).count() < 4 {
                    return any
                        .moves(seat)
                        .find(|mv| mv.as_any().downcast_ref::<Move>() == Some(&Move::BuyDesign {}))
                        .or_else(|| wrap(Move::EndTurn {}));
                }
                match bought_swap(state, seat, chance) {
                    Some(octagons) => wrap(Move::BuySwap { octagons }),
                    None => wrap(Move::EndTurn {}),
                }
            }
            TurnPart::JustMoved | TurnPart::Moved => wrap(Move::EndTurn {}),
        }
    }
}

/// The points of a seat, and what its cards and tokens may bring.
fn expected(state: &State, seat: Seat) -> f64 {
    f64::from(state.points(seat))
        + promise(state, seat)
        + f64::from(state.tokens(seat)).min(9.0) * 0.09
        + f64::from(state.actions(seat)).min(6.0) * 0.15
}

/// What the designs in a hand are worth by how close they are.
fn promise(state: &State, seat: Seat) -> f64 {
    state
        .designs(seat)
        .map(|(_, points, distance)| {
            let near = match distance {
                0 => 0.97,
                1 => 0.55,
                2 => 0.42,
                3 => 0.25,
                4 => 0.15,
                _ => 0.07,
            };
            f64::from(points) * near
        })
        .sum()
}

/// The best swap of skeins around the piece, if it helps.
fn free_swap(state: &State, seat: Seat) -> Option<Pair> {
    let near = state.near(seat)?;
    let pairs = near
        .iter()
        .enumerate()
        .flat_map(|(at, one)| near[at + 1..].iter().map(move |other| Pair::new(*one, *other)));
    best_swap(state, seat, pairs)
}

/// The best of some random swaps, if it helps.
fn bought_swap(state: &State, seat: Seat, chance: &mut dyn Chance) -> Option<Pair> {
    let pairs: Vec<Pair> = (0..COMPARED)
        .filter_map(|_| {
            let (one, other) = (chance.below(25), chance.below(25));
            Some(Pair::new(u8::try_from(one).ok()?, u8::try_from(other).ok()?))
        })
        .collect();
    best_swap(state, seat, pairs.into_iter())
}

fn best_swap(state: &State, seat: Seat, pairs: impl Iterator<Item = Pair>) -> Option<Pair> {
    let now = promise(state, seat);
    pairs
        .filter(|pair| state.skein(pair.one) != state.skein(pair.other))
        .map(|pair| (promise(&state.swapped(pair.one, pair.other), seat), pair))
        .filter(|(value, _)| *value > now)
        .max_by(|one, two| one.0.total_cmp(&two.0))
        .map(|(_, pair)| pair)
}
