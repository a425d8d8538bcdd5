//! Whether a move is legal: the only check, used by both `decide` and `legal_moves`.

use super::{
    super::{
        board::{Octagons, Pair, TILES, around, tiles},
        components::{ACTION_PRICE, DESIGN_PRICE, SWAP_PRICE},
        designs::{DesignId, strands},
        events::{Roll, RollMethod},
        moves::{Move, Play},
        refusal::Refusal,
        state::{Phase, State, TurnProgress},
    },
    walk,
};
use crate::seat::Seat;

/// The version of the rules since which a seat cannot spend the tokens that its move needs (R5.13).
const MOVE_IS_KEPT_SINCE: u16 = 2;

/// The rule that a move breaks, if it breaks one.
pub(crate) fn check(state: &State, seat: Seat, mv: &Move) -> Result<(), Refusal> {
    let phase = state.phase;
    if seat != state.active && !matches!(phase, Phase::Setup | Phase::Over { .. }) {
        return Err(Refusal::NotYourTurn); // R2.3, R3.1
    }
    match (phase, mv) {
        (Phase::Over { .. }, _) => Err(Refusal::MatchOver), // R8.1
        (Phase::Settling, Move::Settle { tile }) => settle(state, seat, *tile),
        (Phase::Setup | Phase::Settling, _) => Err(Refusal::SettleFirst), // R2.3
        (_, Move::Settle { .. }) => Err(Refusal::AlreadySettled),         // R2.3
        (_, Move::Play { card }) if !state.weaver(seat).actions.contains(card.card()) => {
            Err(Refusal::CardNotInHand) // R6.1
        }

        (Phase::Rolling, Move::Roll {} | Move::Play { card: Play::Choose { .. } })
        | (Phase::Rolled { .. }, Move::Collect {}) => Ok(()), // R3.3, R3.4
        (Phase::Rolling, _) => Err(Refusal::RollFirst), // R3.2

        (_, Move::Play { card: Play::Choose { .. } }) => Err(Refusal::ChooseBeforeRoll), // R6.9
        (Phase::Rolled { roll }, Move::Play { card: Play::Reroll {} }) => match roll.how {
            RollMethod::Rolled | RollMethod::Rerolled => Ok(()),
            RollMethod::Chosen => Err(Refusal::RerollAfterChoose), // R6.10
        },
        (_, Move::Roll {}) => Err(Refusal::AlreadyRolled), // R3.2
        (Phase::Rolled { .. }, _) => Err(Refusal::CollectFirst), // R3.2

        (Phase::Acting { .. }, Move::Collect {}) => Err(Refusal::AlreadyCollected), // R4.4
        (Phase::Acting { roll, progress }, _) => act(state, seat, mv, roll, progress),
    }
}

fn act(
    state: &State,
    seat: Seat,
    mv: &Move,
    roll: Roll,
    progress: TurnProgress,
) -> Result<(), Refusal> {
    match mv {
        Move::Walk { .. } | Move::Jump { .. } if progress.moved => Err(Refusal::AlreadyMoved), // R5.1
        Move::Walk { path } => walk::tolls(state, seat, path, roll.number).map(drop),
        Move::Jump { tile } => jump(state, *tile, roll.number),
        Move::FreeSwap { .. } if !progress.just_moved => Err(Refusal::FreeSwapGone), // R5.6
        Move::FreeSwap { octagons } => free_swap(state, seat, *octagons),
        Move::BuyAction {} => {
            afford(state, seat, ACTION_PRICE)?; // R5.7
            state.actions_left().then_some(()).ok_or(Refusal::NoActionsLeft)?; // R6.2
            keep_move(state, seat, ACTION_PRICE, roll, progress)
        }
        Move::BuySwap { octagons } => {
            afford(state, seat, SWAP_PRICE)?; // R5.8
            swap(state, *octagons)?;
            keep_move(state, seat, SWAP_PRICE, roll, progress)
        }
        Move::BuyDesign {} => {
            afford(state, seat, DESIGN_PRICE)?; // R5.9
            designs_left(state)?;
            keep_move(state, seat, DESIGN_PRICE, roll, progress)
        }
        Move::Play { card } => play(state, seat, *card, progress),
        Move::Claim { design, at } => claim(state, seat, *design, *at).map(drop),
        Move::ExchangeDesign { .. } if progress.acted => Err(Refusal::ExchangeComesFirst), // R5.10
        Move::ExchangeDesign { design } => {
            in_hand(state, seat, *design)?;
            designs_left(state)
        }
        Move::EndTurn {} if progress.moved || !can_move(state, seat, roll.number) => Ok(()),
        Move::EndTurn {} => Err(Refusal::MoveFirst), // R5.11
        Move::Settle { .. } | Move::Roll {} | Move::Collect {} => Err(Refusal::AlreadyRolled),
    }
}

fn play(state: &State, seat: Seat, card: Play, progress: TurnProgress) -> Result<(), Refusal> {
    match card {
        Play::Choose { .. } => Err(Refusal::ChooseBeforeRoll), // R6.9
        Play::Reroll {} => Err(Refusal::RerollBeforeCollect),  // R6.10
        Play::Move { .. } if progress.moved => Err(Refusal::AlreadyMoved), // R6.4
        Play::Move { tile } => free(state, tile),
        Play::Swap { octagons } => swap(state, octagons),
        Play::StealAction { seat: victim } => {
            opponent(state, seat, victim)?;
            let empty = state.weaver(victim).actions.is_empty();
            if empty { Err(Refusal::NoCardToSteal) } else { Ok(()) } // R6.6
        }
        Play::StealTokens { seat: victim } => {
            opponent(state, seat, victim)?;
            let empty = state.weaver(victim).tokens == 0;
            if empty { Err(Refusal::NoTokenToSteal) } else { Ok(()) } // R6.7
        }
        Play::ReplaceSkein { octagon, colour } => {
            let Some(old) = state.skeins.get(usize::from(octagon)) else {
                return Err(Refusal::NoSuchOctagon); // R1.1
            };
            if *old == colour {
                return Err(Refusal::SameColour); // R6.8
            }
            let left = state.skein_reserve[colour.index()];
            if left == 0 { Err(Refusal::NotInReserve) } else { Ok(()) } // R6.8
        }
        Play::ReplaceTile { tile, number } => {
            let old = state.number(tile).ok_or(Refusal::NoSuchTile)?; // R1.1
            if state.occupant(tile).is_some() {
                return Err(Refusal::TileOccupied); // R6.8
            }
            if !state.tile_reserve.contains(&number) {
                return Err(Refusal::NotInReserve); // R6.8
            }
            if old == number { Err(Refusal::SameNumber) } else { Ok(()) } // R6.8
        }
        Play::Design {} => designs_left(state),  // R6.11
        Play::ThreeTokens {} => supplied(state), // R6.12
        Play::GainTokens { number } => {
            if !(1..=6).contains(&number) {
                return Err(Refusal::NotOnTheDie); // R6.13
            }
            supplied(state)
        }
        Play::Tax {} => {
            let taxed = taxed(state, seat).next().is_some();
            taxed.then_some(()).ok_or(Refusal::NobodyToTax) // R6.15
        }
    }
}

fn settle(state: &State, seat: Seat, tile: u8) -> Result<(), Refusal> {
    free(state, tile)?;
    let fits = state.number(tile) == Some(state.weaver(seat).rolled);
    fits.then_some(()).ok_or(Refusal::NotYourNumber) // R2.3
}

/// The seat's own tile counts as occupied, too: a move has to leave it (R5.2).
fn free(state: &State, tile: u8) -> Result<(), Refusal> {
    if usize::from(tile) >= TILES {
        return Err(Refusal::NoSuchTile); // R1.1
    }
    if state.occupant(tile).is_some() {
        return Err(Refusal::TileOccupied);
    }
    Ok(())
}

fn jump(state: &State, tile: u8, number: u8) -> Result<(), Refusal> {
    free(state, tile)?;
    let fits = state.number(tile) == Some(number);
    fits.then_some(()).ok_or(Refusal::WrongNumber) // R5.4
}

/// Whether any move by the die is possible (R5.5).
pub(crate) fn can_move(state: &State, seat: Seat, number: u8) -> bool {
    can_move_with(state.weaver(seat).tokens, state, seat, number)
}

/// The same if the seat had this many tokens.
fn can_move_with(tokens: u8, state: &State, seat: Seat, number: u8) -> bool {
    tiles().any(|tile| jump(state, tile, number).is_ok())
        || walk::can_walk(state, seat, number, tokens)
}

/// Whether paying this price leaves the seat a move if it has one now (R5.13).
fn keep_move(
    state: &State,
    seat: Seat,
    price: u8,
    roll: Roll,
    progress: TurnProgress,
) -> Result<(), Refusal> {
    if progress.moved || state.rules < MOVE_IS_KEPT_SINCE {
        return Ok(());
    }
    let left = state.weaver(seat).tokens.saturating_sub(price);
    let keeps = can_move_with(left, state, seat, roll.number);
    let loses = !keeps && can_move(state, seat, roll.number);
    if loses { Err(Refusal::TokensNeededToMove) } else { Ok(()) }
}

fn swap(state: &State, pair: Pair) -> Result<(), Refusal> {
    let skein = |octagon: u8| state.skeins.get(usize::from(octagon));
    let (Some(one), Some(other)) = (skein(pair.one), skein(pair.other)) else {
        return Err(Refusal::NoSuchOctagon); // R1.1
    };
    if one == other { Err(Refusal::SameColour) } else { Ok(()) } // R5.12
}

fn free_swap(state: &State, seat: Seat, pair: Pair) -> Result<(), Refusal> {
    swap(state, pair)?;
    let near = around(state.weaver(seat).tile.ok_or(Refusal::SettleFirst)?);
    let beside = near.contains(&pair.one) && near.contains(&pair.other);
    beside.then_some(()).ok_or(Refusal::NotAroundPiece) // R5.6
}

fn afford(state: &State, seat: Seat, price: u8) -> Result<(), Refusal> {
    if state.weaver(seat).tokens < price { Err(Refusal::NotEnoughTokens) } else { Ok(()) }
}

fn supplied(state: &State) -> Result<(), Refusal> {
    if state.supply() == 0 { Err(Refusal::SupplyEmpty) } else { Ok(()) } // R6.1
}

fn designs_left(state: &State) -> Result<(), Refusal> {
    if state.designs_left() == 0 { Err(Refusal::NoDesignsLeft) } else { Ok(()) } // R7.6
}

fn in_hand(state: &State, seat: Seat, design: DesignId) -> Result<(), Refusal> {
    let held = state.weaver(seat).designs.contains(design);
    held.then_some(()).ok_or(Refusal::DesignNotInHand) // R7.1
}

fn opponent(state: &State, seat: Seat, victim: Seat) -> Result<(), Refusal> {
    let sits = victim != seat && victim.number() < state.seats();
    sits.then_some(()).ok_or(Refusal::NotAnOpponent)
}

/// The seats that a tax affects (R6.15).
pub(crate) fn taxed(state: &State, seat: Seat) -> impl Iterator<Item = Seat> {
    Seat::all(state.seats()).filter(move |other| *other != seat && state.weaver(*other).tokens > 0)
}

/// The octagons of a claimed design: the named ones, or the first place where it appears (R7).
pub(crate) fn claim(
    state: &State,
    seat: Seat,
    design: DesignId,
    at: Option<Octagons>,
) -> Result<Octagons, Refusal> {
    in_hand(state, seat, design)?;
    let mut places = design.card().places(strands(&state.skeins));
    match at {
        Some(at) => places.find(|place| *place == at).ok_or(Refusal::DesignNotThere), // R7.5
        None => places.next().ok_or(Refusal::DesignNotOnBoard),                       // R7.2
    }
}
