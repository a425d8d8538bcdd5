//! Setup, and the events that a move leads to. `check` refuses illegal moves; after that, nothing here can fail.

use super::{
    Ettana,
    components::{Face, MOST_STOLEN, THREE_TOKENS},
    events::{Event, Gait, Means, Roll, RollMethod},
    moves::{Move, Play},
    refusal::Refusal,
    state::{Phase, State},
};
use crate::{
    chance::Chance,
    game::{Context, Decide, Staged},
    seat::Seat,
};

pub(crate) mod check;
mod draw;
mod setup;
pub(crate) mod walk;

type Stage = Staged<Ettana>;

impl Decide for Ettana {
    fn setup(state: &State, cx: &mut Context<'_>) -> Vec<Event> {
        setup::setup(state, cx)
    }

    fn decide(
        state: &State,
        seat: Seat,
        mv: &Move,
        cx: &mut Context<'_>,
    ) -> Result<Vec<Event>, Refusal> {
        check::check(state, seat, mv)?;
        let mut staged = Stage::new(state, cx.at);
        match mv {
            Move::Settle { tile } => {
                staged.emit(Event::PieceSettled { seat, tile: *tile });
                setup::after_settling(&mut staged, cx);
            }
            Move::Roll {} => {
                let roll = roll(RollMethod::Rolled, None, cx.chance); // R3.3
                staged.emit(Event::DiceRolled { seat, roll });
            }
            Move::Collect {} => collect(&mut staged, seat, cx),
            Move::Walk { path } => {
                let tolls = walk::tolls(state, seat, path, number(state))?; // R5.3
                let path = path.clone();
                staged.emit(Event::PieceMoved { seat, path, tolls, gait: Gait::Walk });
            }
            Move::Jump { tile } => staged.emit(moved_to(seat, *tile, Gait::Jump)), // R5.4
            Move::FreeSwap { octagons } => {
                staged.emit(Event::SkeinsSwapped { seat, octagons: *octagons, means: Means::Free });
            }
            Move::BuyAction {} => draw::take_action(&mut staged, seat, Means::Bought, cx),
            Move::BuySwap { octagons } => {
                staged.emit(Event::SkeinsSwapped {
                    seat,
                    octagons: *octagons,
                    means: Means::Bought,
                });
            }
            Move::BuyDesign {} => draw::take_design(&mut staged, seat, Means::Bought, cx),
            Move::Play { card } => play(&mut staged, seat, *card, cx),
            Move::Claim { design, at } => {
                let at = check::claim(state, seat, *design, *at)?;
                let points = design.card().points;
                staged.emit(Event::DesignClaimed { seat, design: *design, at, points }); // R7.4
            }
            Move::ExchangeDesign { design } => {
                if let Some(drawn) = draw::design(state, cx.chance) {
                    staged.emit(Event::DesignExchanged { seat, returned: *design, drawn });
                }
                end_turn(&mut staged, seat); // R5.10
            }
            Move::EndTurn {} => {
                if !has_moved(state) {
                    staged.emit(Event::MoveWaived { seat }); // R5.5
                }
                end_turn(&mut staged, seat);
            }
        }
        if let Some(winner) = staged.state().champion() {
            staged.emit(Event::GameEnded { winner }); // R8.1
        }
        Ok(staged.into_events())
    }
}

fn number(state: &State) -> u8 {
    state.roll().expect("a piece moves after the roll").number
}

fn has_moved(state: &State) -> bool {
    matches!(state.phase, Phase::Acting { progress, .. } if progress.moved)
}

fn moved_to(seat: Seat, tile: u8, gait: Gait) -> Event {
    Event::PieceMoved { seat, path: vec![tile], tolls: Vec::new(), gait }
}

fn end_turn(staged: &mut Stage, seat: Seat) {
    let next = seat.next(staged.state().seats());
    staged.emit(Event::TurnBegan { seat: next }); // R3.1
}

fn roll(how: RollMethod, chosen: Option<Face>, chance: &mut dyn Chance) -> Roll {
    let number = chance.die();
    let face = chosen.unwrap_or_else(|| chance.pick(&Face::ALL));
    Roll { number, face, how }
}

fn collect(staged: &mut Stage, seat: Seat, cx: &mut Context<'_>) {
    let state = staged.state();
    let Some(colour) = state.roll().and_then(|roll| roll.face.colour()) else {
        staged.emit(Event::BlackShown { seat }); // R4.3
        draw::take_action(staged, seat, Means::Free, cx);
        return;
    };
    let (tokens, supply) = (state.income(colour), state.supply()); // R4.1
    let due: u8 = tokens.iter().sum();
    if due > supply {
        staged.emit(Event::IncomeWithheld { due, supply }); // R4.2
    } else {
        staged.emit(Event::IncomePaid { tokens });
    }
}

fn play(staged: &mut Stage, seat: Seat, card: Play, cx: &mut Context<'_>) {
    staged.emit(Event::CardPlayed { seat, card: card.card() }); // R6.1
    let state = staged.state();
    match card {
        Play::Choose { face } => {
            let roll = roll(RollMethod::Chosen, Some(face), cx.chance); // R6.9
            staged.emit(Event::DiceRolled { seat, roll });
        }
        Play::Reroll {} => {
            let roll = roll(RollMethod::Rerolled, None, cx.chance); // R6.10
            staged.emit(Event::DiceRolled { seat, roll });
        }
        Play::Move { tile } => staged.emit(moved_to(seat, tile, Gait::Card)), // R6.4
        Play::Swap { octagons } => {
            staged.emit(Event::SkeinsSwapped { seat, octagons, means: Means::Card }); // R6.5
        }
        Play::StealAction { seat: from } => {
            let hand: Vec<_> = state.weaver(from).actions.iter().collect();
            let card = cx.chance.pick(&hand); // R6.6
            staged.emit(Event::ActionStolen { seat, from, card });
        }
        Play::StealTokens { seat: from } => {
            let tokens = state.weaver(from).tokens.min(MOST_STOLEN); // R6.7
            staged.emit(Event::TokensStolen { seat, from, tokens });
        }
        Play::ReplaceSkein { octagon, colour } => {
            let from = state.skeins[usize::from(octagon)];
            staged.emit(Event::SkeinReplaced { seat, octagon, from, to: colour }); // R6.8
        }
        Play::ReplaceTile { tile, number } => {
            let from = state.tiles[usize::from(tile)];
            staged.emit(Event::TileReplaced { seat, tile, from, to: number }); // R6.8
        }
        Play::Design {} => draw::take_design(staged, seat, Means::Card, cx), // R6.11
        Play::ThreeTokens {} => {
            let tokens = THREE_TOKENS.min(state.supply()); // R6.3, R6.12
            staged.emit(Event::TokensTaken { seat, tokens });
        }
        Play::GainTokens { number: named } => {
            let rolled = cx.chance.die();
            let tokens = if rolled >= named { named.min(state.supply()) } else { 0 }; // R6.13
            staged.emit(Event::WagerRolled { seat, named, rolled, tokens });
        }
        Play::Tax {} => {
            let seats = check::taxed(state, seat).collect(); // R6.15
            staged.emit(Event::TaxPaid { seats });
        }
    }
}
