//! What each event changes in the state.

use super::{
    Ettana,
    components::{ACTION_PRICE, ActionCard, DESIGN_PRICE, SWAP_PRICE},
    designs::DesignId,
    events::{Event, Means},
    state::{Phase, State, TurnProgress, Weaver},
};
use crate::{game::Evolve, seat::Seat, time::Timestamp};

impl Evolve for Ettana {
    #[expect(clippy::too_many_lines, reason = "one arm per event")]
    fn evolve(state: &mut State, event: &Event, _at: Timestamp) {
        match event {
            Event::TableLaid { skeins, tiles, reserve } => {
                state.skeins = *skeins;
                state.tiles = *tiles;
                state.tile_reserve = *reserve;
            }
            Event::StartRolled { throws } => {
                for throw in throws {
                    weaver(state, throw.seat).rolled = throw.number;
                }
            }
            Event::TieRolled { throws: _ } => {}
            Event::StartDecided { seat } => {
                state.active = *seat;
                state.phase = Phase::Settling;
            }
            Event::PlaceRerolled { seat, number } => weaver(state, *seat).rolled = *number,
            Event::PieceSettled { seat, tile } => {
                weaver(state, *seat).tile = Some(*tile);
                state.active = seat.next(state.seats());
            }
            Event::HandDealt { seat, design, card, tokens } => {
                take_design(state, *seat, *design);
                take_action(state, *seat, *card);
                weaver(state, *seat).tokens += tokens;
            }
            Event::TurnBegan { seat } => {
                state.active = *seat;
                state.turn += 1;
                state.phase = Phase::Rolling;
            }
            Event::DiceRolled { seat: _, roll } => state.phase = Phase::Rolled { roll: *roll },
            Event::IncomePaid { tokens } => {
                for (weaver, tokens) in state.weavers.iter_mut().zip(tokens) {
                    weaver.tokens += tokens;
                    weaver.counters.income += u32::from(*tokens);
                }
                begin_actions(state);
            }
            Event::IncomeWithheld { due: _, supply: _ } | Event::BlackShown { seat: _ } => {
                begin_actions(state);
            }
            Event::PieceMoved { seat, path, tolls, gait: _ } => {
                for owner in tolls {
                    pay(state, *seat, 1);
                    weaver(state, *seat).counters.tolls_paid += 1;
                    let owner = weaver(state, *owner);
                    owner.tokens += 1;
                    owner.counters.tolls_received += 1;
                }
                weaver(state, *seat).tile = path.last().copied();
                if let Phase::Acting { progress, .. } = &mut state.phase {
                    *progress = TurnProgress { acted: true, moved: true, just_moved: true };
                }
            }
            Event::MoveWaived { seat: _ } => acted(state),
            Event::SkeinsSwapped { seat, octagons, means } => {
                state.skeins.swap(octagons.one.into(), octagons.other.into());
                match means {
                    Means::Free => weaver(state, *seat).counters.free_swaps += 1,
                    Means::Bought => {
                        pay(state, *seat, SWAP_PRICE);
                        weaver(state, *seat).counters.bought_swaps += 1;
                    }
                    Means::Card => {}
                }
                acted(state);
            }
            Event::ActionsReshuffled { cards: _ } => {
                state.action_deck = std::mem::take(&mut state.discards);
            }
            Event::ActionDrawn { seat, card, means } => {
                if *means == Means::Bought {
                    pay(state, *seat, ACTION_PRICE);
                    weaver(state, *seat).counters.actions_bought += 1;
                    acted(state);
                }
                take_action(state, *seat, *card);
            }
            Event::DesignDrawn { seat, design, means } => {
                if *means == Means::Bought {
                    pay(state, *seat, DESIGN_PRICE);
                }
                take_design(state, *seat, *design);
                weaver(state, *seat).counters.designs_drawn += 1;
                acted(state);
            }
            Event::DesignExchanged { seat, returned, drawn } => {
                weaver(state, *seat).designs.remove(*returned);
                weaver(state, *seat).counters.designs_exchanged += 1;
                state.returned.push(*returned);
                take_design(state, *seat, *drawn);
                acted(state);
            }
            Event::CardPlayed { seat, card } => {
                let weaver = weaver(state, *seat);
                weaver.actions.remove(*card);
                weaver.counters.played[card.index()] += 1;
                state.discards.add(*card);
                acted(state);
            }
            Event::ActionStolen { seat, from, card } => {
                weaver(state, *from).actions.remove(*card);
                weaver(state, *seat).actions.add(*card);
            }
            Event::TokensStolen { seat, from, tokens } => {
                lose(state, *from, *tokens);
                let thief = weaver(state, *seat);
                thief.tokens += tokens;
                thief.counters.stolen += u32::from(*tokens);
            }
            Event::SkeinReplaced { seat: _, octagon, from, to } => {
                state.skeins[usize::from(*octagon)] = *to;
                state.skein_reserve[from.index()] += 1;
                let left = &mut state.skein_reserve[to.index()];
                *left = left.saturating_sub(1);
            }
            Event::TileReplaced { seat: _, tile, from, to } => {
                state.tiles[usize::from(*tile)] = *to;
                if let Some(place) = state.tile_reserve.iter_mut().find(|number| *number == to) {
                    *place = *from;
                }
            }
            Event::TokensTaken { seat, tokens } | Event::WagerRolled { seat, tokens, .. } => {
                let weaver = weaver(state, *seat);
                weaver.tokens += tokens;
                weaver.counters.from_cards += u32::from(*tokens);
            }
            Event::TaxPaid { seats } => {
                for seat in seats {
                    lose(state, *seat, 1);
                }
            }
            Event::DesignClaimed { seat, design, at: _, points: _ } => {
                let weaver = weaver(state, *seat);
                weaver.designs.remove(*design);
                weaver.claimed.add(*design);
                acted(state);
            }
            Event::GameEnded { winner } => state.phase = Phase::Over { winner: *winner },
        }
    }
}

fn weaver(state: &mut State, seat: Seat) -> &mut Weaver {
    &mut state.weavers[seat.index()]
}

fn pay(state: &mut State, seat: Seat, tokens: u8) {
    let weaver = weaver(state, seat);
    weaver.tokens = weaver.tokens.saturating_sub(tokens);
}

fn lose(state: &mut State, seat: Seat, tokens: u8) {
    pay(state, seat, tokens);
    weaver(state, seat).counters.tokens_lost += u32::from(tokens);
}

/// Income is paid once, on the final result (R4.4).
fn begin_actions(state: &mut State) {
    if let Phase::Rolled { roll } = state.phase {
        state.phase = Phase::Acting { roll, progress: TurnProgress::default() };
    }
}

/// Any action ends the chance of a free swap and of an exchange (R5.6, R5.10). Cards played before the actions of a
/// turn begin do not count.
fn acted(state: &mut State) {
    if let Phase::Acting { progress, .. } = &mut state.phase {
        progress.acted = true;
        progress.just_moved = false;
    }
}

/// A victory point is revealed at once and never enters a hand (R6.14).
fn take_action(state: &mut State, seat: Seat, card: ActionCard) {
    state.action_deck.remove(card);
    let weaver = weaver(state, seat);
    if card == ActionCard::VictoryPoint {
        weaver.victory_cards += 1;
    } else {
        weaver.actions.add(card);
    }
}

fn take_design(state: &mut State, seat: Seat, design: DesignId) {
    state.design_deck.remove(design);
    state.returned.retain(|under| *under != design);
    weaver(state, seat).designs.add(design);
}
