//! What each event changes in the state.

use super::{
    Brotando,
    cards::Card,
    events::{Bid, Deal, Event},
    squares::Squares,
    state::{HeldWind, Phase, Plot, State},
};
use crate::{game::Evolve, seat::Seat, time::Timestamp};

impl Evolve for Brotando {
    fn evolve(state: &mut State, event: &Event, _at: Timestamp) {
        if !event.is_private_business() {
            state.epoch += 1;
        }
        match event {
            Event::DecksDealt { decks } => {
                for (plot, deck) in state.plots.iter_mut().zip(decks) {
                    plot.deck.clone_from(deck);
                }
            }
            Event::FirstSeatDrawn { seat } => state.first = *seat,
            Event::DayBegan { day, first, .. } => begin_day(state, *day, *first),

            Event::BalancePassed { seat, .. } => {
                let day = state.day;
                let plot = plot(state, *seat);
                plot.passed_on = day;
                plot.counters.passed += 1;
            }
            Event::BalanceFailed { seat, lost, paid, .. } => {
                let plot = plot(state, *seat);
                plot.counters.failed += 1;
                plot.debt = *lost;
                pay_debt(plot, *paid);
            }
            Event::DebtPaid { seat, paid } => pay_debt(plot(state, *seat), *paid),
            Event::SegmentDropped { seat, segment } => {
                let plot = plot(state, *seat);
                plot.sprout.remove(*segment);
                plot.counters.lost += 1;
                plot.debt = plot.debt.saturating_sub(1);
                forgive_the_bare(plot);
            }

            Event::SelectionOpened { seat } => state.phase = Phase::Selecting { active: *seat },
            Event::CardSelected { seat, card, .. } => {
                let bidders = state.without_card().without(*seat); // R4.2
                let turn = state.next_among(bidders, *seat).expect("the last card is not selected"); // R4.9
                state.phase =
                    Phase::Bidding { active: *seat, card: *card, turn, bidders, highest: None };
            }
            Event::BidMade { seat, amount } => bid(state, *seat, Some(*amount)),
            Event::BidderLeft { seat } => bid(state, *seat, None),
            Event::BiddingClosed { highest } => {
                if let Phase::Bidding { active, card, .. } = state.phase {
                    state.phase = Phase::Deciding { active, card, highest: *highest };
                }
            }
            Event::CardObtained { seat, card, face, deal } => {
                obtain(state, *seat, *card, *face);
                settle(state, *seat, *deal);
            }

            Event::GrowthOpened {} => state.phase = Phase::Growing,
            Event::SproutGrown { seat, segments, crossed } => {
                let plot = plot(state, *seat);
                plot.grown = true;
                for segment in segments {
                    plot.sprout.add(*segment);
                    plot.fresh = plot.fresh | segment.squares();
                    plot.reserve = plot.reserve.saturating_sub(1);
                }
                plot.crossed = crossed.iter().fold(plot.crossed, |lines, line| lines.with(*line));
            }
            Event::GrowthSkipped { seat } => plot(state, *seat).grown = true,
            Event::RewardsPaid { rewards } => {
                for (plot, reward) in state.plots.iter_mut().zip(rewards) {
                    plot.reserve += reward.total();
                    plot.counters.income.yellow += reward.yellow;
                    plot.counters.income.red += reward.red;
                    plot.counters.income.orange += reward.orange;
                }
            }

            Event::WindPlayed { seat, wind, gained } => {
                let plot = plot(state, *seat);
                if let Some(index) = plot.hand.iter().position(|held| held.wind == *wind) {
                    plot.hand.remove(index);
                }
                plot.played[wind.index()] += 1;
                plot.reserve += gained;
            }
            Event::DeckPeeked { seat, cards } => {
                plot(state, *seat).known = u8::try_from(cards.len()).expect("three cards at most");
                state.arranging = Some(*seat);
            }
            Event::DeckArranged { seat, order, .. } => {
                let deck = &mut plot(state, *seat).deck;
                let seen = deck.clone();
                for (place, from) in deck.iter_mut().zip(order) {
                    *place = seen[usize::from(from.0)];
                }
                state.arranging = None;
            }
            Event::GameEnded { .. } => state.phase = Phase::Over,
        }
    }
}

fn plot(state: &mut State, seat: Seat) -> &mut Plot {
    &mut state.plots[seat.index()]
}

/// Discards yesterday's growth cards and reveals the top card of every deck (R3.1, R6.3).
fn begin_day(state: &mut State, day: u8, first: Seat) {
    state.day = day;
    state.first = first;
    state.phase = Phase::Testing;
    for (plot, place) in state.plots.iter_mut().zip(&mut state.centre) {
        *place = (!plot.deck.is_empty()).then(|| plot.deck.remove(0));
        plot.known = plot.known.saturating_sub(1);
        plot.card = None;
        plot.grown = false;
        plot.fresh = Squares::NONE;
    }
}

fn pay_debt(plot: &mut Plot, paid: u16) {
    plot.reserve = plot.reserve.saturating_sub(paid);
    plot.debt = plot.debt.saturating_sub(paid);
    plot.counters.lost += paid;
    forgive_the_bare(plot);
}

/// No seat loses more segments than it has (R3.5).
fn forgive_the_bare(plot: &mut Plot) {
    if plot.sprout.is_bare() {
        plot.debt = 0;
    }
}

/// The bidder raises the bid or leaves; then it is the next bidder's turn.
fn bid(state: &mut State, seat: Seat, amount: Option<u16>) {
    let Phase::Bidding { active, card, bidders, highest, .. } = state.phase else { return };
    let (bidders, highest) = match amount {
        Some(amount) => (bidders, Some(Bid { seat, amount })),
        None => (bidders.without(seat), highest),
    };
    // There may be no bidder left; then the next event closes the bidding.
    let turn = state.next_among(bidders, seat).unwrap_or(seat);
    state.phase = Phase::Bidding { active, card, turn, bidders, highest };
}

fn obtain(state: &mut State, seat: Seat, card: u8, face: Card) {
    let day = state.day;
    if let Some(place) = state.centre.get_mut(usize::from(card)) {
        *place = None;
    }
    let plot = plot(state, seat);
    plot.card = Some(face);
    if let Card::Wind(wind) = face {
        plot.hand.push(HeldWind { wind, since: day }); // R4.10
    }
}

/// Transfers the price of a card, and counts it.
fn settle(state: &mut State, seat: Seat, deal: Deal) {
    match deal {
        Deal::Kept { bidder, paid } => {
            pay(state, seat, bidder, paid);
            plot(state, seat).counters.kept += 1;
        }
        Deal::Bought { seller, price } => {
            pay(state, seat, seller, price);
            plot(state, seat).counters.won += 1;
            plot(state, seller).counters.sold += 1;
        }
        Deal::Unbid {} | Deal::Last {} | Deal::ByWind {} => {}
    }
}

fn pay(state: &mut State, from: Seat, to: Seat, segments: u16) {
    let giver = plot(state, from);
    giver.reserve = giver.reserve.saturating_sub(segments);
    giver.counters.paid += segments;
    let taker = plot(state, to);
    taker.reserve += segments;
    taker.counters.received += segments;
}
