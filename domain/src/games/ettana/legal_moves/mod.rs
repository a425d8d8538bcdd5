//! Every legal move: candidates, filtered by the rules.

use super::{
    Ettana,
    board::{Pair, around, octagons, tiles},
    components::{Colour, Face, SWAP_PRICE},
    decide::{check::check, walk},
    designs::{DesignId, claims},
    moves::{Move, Play},
    state::{Phase, State, TurnProgress},
};
use crate::{chance::Chance, game::LegalMoves, seat::Seat};

mod random;

type Moves<'a> = Box<dyn Iterator<Item = Move> + 'a>;

impl LegalMoves for Ettana {
    fn legal_moves(state: &State, seat: Seat) -> Box<dyn Iterator<Item = Move> + '_> {
        if seat != state.active {
            return Box::new(std::iter::empty());
        }
        let candidates: Moves<'_> = match state.phase {
            Phase::Setup | Phase::Over { .. } => Box::new(std::iter::empty()),
            Phase::Settling => Box::new(tiles().map(|tile| Move::Settle { tile })),
            Phase::Rolling => {
                let choices = Face::ALL.map(|face| play(Play::Choose { face }));
                Box::new([Move::Roll {}].into_iter().chain(choices))
            }
            Phase::Rolled { .. } => Box::new([Move::Collect {}, play(Play::Reroll {})].into_iter()),
            Phase::Acting { roll, progress } => actions(state, seat, roll.number, progress),
        };
        Box::new(candidates.filter(move |mv| check(state, seat, mv).is_ok()))
    }

    fn random_move(state: &State, seat: Seat, chance: &mut dyn Chance) -> Option<Move> {
        random::random_move(state, seat, chance)
    }
}

fn play(card: Play) -> Move {
    Move::Play { card }
}

/// Candidates. Groups in which no move can be legal are left out for speed.
fn actions(state: &State, seat: Seat, number: u8, progress: TurnProgress) -> Moves<'_> {
    let weaver = state.weaver(seat);
    let walks = if progress.moved { Vec::new() } else { walk::walks(state, seat, number) };
    let walks = walks.into_iter().map(|path| Move::Walk { path });
    let jumps = tiles().map(|tile| Move::Jump { tile });
    let near: Vec<Pair> = weaver
        .tile
        .iter()
        .flat_map(|tile| Pair::among(&around(*tile)).collect::<Vec<_>>())
        .collect();
    let free_swaps = near.into_iter().map(|octagons| Move::FreeSwap { octagons });
    let rich = weaver.tokens >= SWAP_PRICE;
    let swaps = pairs().filter(move |_| rich).map(|octagons| Move::BuySwap { octagons });
    let exchanges = weaver.designs.iter().map(|design| Move::ExchangeDesign { design });
    Box::new(
        walks
            .chain(jumps)
            .chain(free_swaps)
            .chain(claimable(state, seat))
            .chain([Move::BuyAction {}, Move::BuyDesign {}])
            .chain(swaps)
            .chain(plays(state, seat))
            .chain(exchanges)
            .chain([Move::EndTurn {}]),
    )
}

/// Every claim: each design without a place, and with every place.
fn claimable(state: &State, seat: Seat) -> impl Iterator<Item = Move> + '_ {
    let mut last: Option<DesignId> = None;
    claims(&state.skeins, state.weaver(seat).designs).flat_map(move |(design, place)| {
        let anywhere = (last != Some(design)).then_some(Move::Claim { design, at: None });
        last = Some(design);
        anywhere.into_iter().chain([Move::Claim { design, at: Some(place) }])
    })
}

fn plays(state: &State, seat: Seat) -> impl Iterator<Item = Move> + '_ {
    let seats = move || Seat::all(state.seats());
    let moves = tiles().map(|tile| Play::Move { tile });
    let swaps = pairs().map(|octagons| Play::Swap { octagons });
    let skeins = octagons().flat_map(|octagon| {
        Colour::ALL.into_iter().map(move |colour| Play::ReplaceSkein { octagon, colour })
    });
    let mut numbers = state.tile_reserve.to_vec();
    numbers.dedup();
    let replaced = tiles().flat_map(move |tile| {
        numbers.clone().into_iter().map(move |number| Play::ReplaceTile { tile, number })
    });
    let wagers = (1..=6).map(|number| Play::GainTokens { number });
    let held = state.weaver(seat).actions;
    moves
        .chain(swaps)
        .chain(seats().map(|seat| Play::StealAction { seat }))
        .chain(seats().map(|seat| Play::StealTokens { seat }))
        .chain(skeins)
        .chain(replaced)
        .chain([Play::Design {}, Play::ThreeTokens {}, Play::Tax {}])
        .chain(wagers)
        .filter(move |card| held.contains(card.card()))
        .map(play)
}

fn pairs() -> impl Iterator<Item = Pair> {
    octagons().flat_map(|one| {
        octagons().skip(usize::from(one) + 1).map(move |other| Pair::new(one, other))
    })
}
