//! What a move leads to: `check` says whether it may be made, what follows here cannot fail any more.

use super::{
    Ettana, board,
    components::{Face, MOST_STOLEN, THREE_TOKENS},
    events::{Event, Gait, How, Means, Roll},
    moves::{Move, Play},
    refusal::Refusal,
    state::{Phase, State},
};
use crate::{
    chance::Chance,
    game::{Context, Staged},
    seat::Seat,
};

mod check;
mod draw;
mod legal;
mod setup;
mod walk;

pub(crate) use legal::legal_moves;
pub(crate) use setup::setup;

type Table = Staged<Ettana>;

pub(crate) fn decide(
    state: &State,
    seat: Seat,
    mv: &Move,
    cx: &mut Context<'_>,
) -> Result<Vec<Event>, Refusal> {
    check::check(state, seat, mv)?;
    let mut table = Table::new(state, cx.at);
    match mv {
        Move::Settle { tile } => {
            table.emit(Event::PieceSettled { seat, tile: *tile });
            setup::after_settling(&mut table, cx);
        }
        Move::Roll {} => {
            let roll = roll(How::Rolled, None, cx.chance); // R3.3
            table.emit(Event::DiceRolled { seat, roll });
        }
        Move::Collect {} => collect(&mut table, seat, cx),
        Move::Walk { path } => {
            let tolls = walk::tolls(state, seat, path, number(state))?; // R5.3
            let path = path.clone();
            table.emit(Event::PieceMoved { seat, path, tolls, gait: Gait::Walk });
        }
        Move::Jump { tile } => table.emit(moved_to(seat, *tile, Gait::Jump)), // R5.4
        Move::FreeSwap { octagons } => {
            table.emit(Event::SkeinsSwapped { seat, octagons: *octagons, means: Means::Free });
        }
        Move::BuyAction {} => draw::take_action(&mut table, seat, Means::Bought, cx),
        Move::BuySwap { octagons } => {
            table.emit(Event::SkeinsSwapped { seat, octagons: *octagons, means: Means::Bought });
        }
        Move::BuyDesign {} => draw::take_design(&mut table, seat, Means::Bought, cx),
        Move::Play { card } => play(&mut table, seat, *card, cx),
        Move::Claim { design, at } => {
            let at = check::claim(state, seat, *design, *at)?;
            let points = design.card().points;
            table.emit(Event::DesignClaimed { seat, design: *design, at, points }); // R7.4
        }
        Move::ExchangeDesign { design } => {
            if let Some(drawn) = draw::design(state, cx.chance) {
                table.emit(Event::DesignExchanged { seat, returned: *design, drawn });
            }
            end_turn(&mut table, seat); // R5.10
        }
        Move::EndTurn {} => {
            if !has_moved(state) {
                table.emit(Event::MoveWaived { seat }); // R5.5
            }
            end_turn(&mut table, seat);
        }
    }
    if let Some(winner) = table.state().champion() {
        table.emit(Event::GameEnded { winner }); // R8.1
    }
    Ok(table.into_events())
}

fn number(state: &State) -> u8 {
    state.roll().map(|roll| roll.number).unwrap_or_default()
}

fn has_moved(state: &State) -> bool {
    matches!(state.phase, Phase::Acting { progress, .. } if progress.moved)
}

fn moved_to(seat: Seat, tile: u8, gait: Gait) -> Event {
    Event::PieceMoved { seat, path: vec![tile], tolls: Vec::new(), gait }
}

fn end_turn(table: &mut Table, seat: Seat) {
    let next = seat.next(table.state().seats());
    table.emit(Event::TurnBegan { seat: next }); // R3.1
}

fn roll(how: How, chosen: Option<Face>, chance: &mut dyn Chance) -> Roll {
    let number = chance.die();
    let face = chosen.unwrap_or_else(|| chance.pick(&Face::ALL));
    Roll { number, face, how }
}

fn collect(table: &mut Table, seat: Seat, cx: &mut Context<'_>) {
    let state = table.state();
    let Some(colour) = state.roll().and_then(|roll| roll.face.colour()) else {
        table.emit(Event::BlackShown { seat }); // R4.3
        draw::take_action(table, seat, Means::Free, cx);
        return;
    };
    let (tokens, supply) = (state.income(colour), state.supply()); // R4.1
    let due: u8 = tokens.iter().sum();
    if due > supply {
        table.emit(Event::IncomeWithheld { due, supply }); // R4.2
    } else {
        table.emit(Event::IncomePaid { tokens });
    }
}

fn play(table: &mut Table, seat: Seat, card: Play, cx: &mut Context<'_>) {
    table.emit(Event::CardPlayed { seat, card: card.card() }); // R6.1
    let state = table.state();
    match card {
        Play::Choose { face } => {
            let roll = roll(How::Chosen, Some(face), cx.chance); // R6.9
            table.emit(Event::DiceRolled { seat, roll });
        }
        Play::Reroll {} => {
            let roll = roll(How::Rerolled, None, cx.chance); // R6.10
            table.emit(Event::DiceRolled { seat, roll });
        }
        Play::Move { tile } => table.emit(moved_to(seat, tile, Gait::Card)), // R6.4
        Play::Swap { octagons } => {
            table.emit(Event::SkeinsSwapped { seat, octagons, means: Means::Card }); // R6.5
        }
        Play::StealAction { seat: from } => {
            let hand: Vec<_> = state.weaver(from).actions.iter().collect();
            let card = cx.chance.pick(&hand); // R6.6
            table.emit(Event::ActionStolen { seat, from, card });
        }
        Play::StealTokens { seat: from } => {
            let tokens = state.weaver(from).tokens.min(MOST_STOLEN); // R6.7
            table.emit(Event::TokensStolen { seat, from, tokens });
        }
        Play::ReplaceSkein { octagon, colour } => {
            let from = state.skeins[usize::from(octagon)];
            table.emit(Event::SkeinReplaced { seat, octagon, from, to: colour }); // R6.8
        }
        Play::ReplaceTile { tile, number } => {
            let from = state.number(tile).unwrap_or_default();
            table.emit(Event::TileReplaced { seat, tile, from, to: number }); // R6.8
        }
        Play::Design {} => draw::take_design(table, seat, Means::Card, cx), // R6.11
        Play::ThreeTokens {} => {
            let tokens = THREE_TOKENS.min(state.supply()); // R6.3, R6.12
            table.emit(Event::TokensTaken { seat, tokens });
        }
        Play::GainTokens { number: named } => {
            let rolled = cx.chance.die();
            let tokens = if rolled >= named { named.min(state.supply()) } else { 0 }; // R6.13
            table.emit(Event::WagerRolled { seat, named, rolled, tokens });
        }
        Play::Tax {} => {
            let seats = check::taxed(state, seat).collect(); // R6.15
            table.emit(Event::TaxPaid { seats });
        }
    }
}
