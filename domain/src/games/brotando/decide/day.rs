//! Setup, the beginning of a day with its tests, and its end with rewards.

use super::Stage;
use crate::{
    chance::Chance,
    game::{Context, Turns},
    games::brotando::{
        Brotando,
        cards::{Card, Figure, Wind},
        components::{DAYS, GROWTH_IN_DECK, WINDS_IN_DECK},
        events::Event,
        refusal::Refusal,
        sprout::Segment,
        state::{Phase, Plot, State},
    },
    seat::Seat,
    time::Timestamp,
};

pub(super) fn setup(state: &State, cx: &mut Context<'_>) -> Vec<Event> {
    let mut staged = Stage::new(state, cx.at);
    let (mut growth, mut winds) = (Figure::all_cards(), Wind::all_cards());
    let decks = (0..state.seats()).map(|_| deck(&mut growth, &mut winds, cx.chance)).collect();
    staged.emit(Event::DecksDealt { decks });
    let first = cx.chance.seat(state.seats());
    staged.emit(Event::FirstSeatDrawn { seat: first }); // R2.4
    begin(&mut staged, first);
    staged.into_events()
}

/// Deals a deck whose top card is not wind; all such orders are equally likely (R2.2).
fn deck(growth: &mut Vec<Figure>, winds: &mut Vec<Wind>, chance: &mut dyn Chance) -> Vec<Card> {
    let mut deck = Vec::with_capacity(GROWTH_IN_DECK + WINDS_IN_DECK);
    for _ in 0..GROWTH_IN_DECK {
        deck.push(Card::Growth(growth.swap_remove(chance.index(growth.len()))));
    }
    for _ in 0..WINDS_IN_DECK {
        deck.push(Card::Wind(winds.swap_remove(chance.index(winds.len()))));
    }
    chance.shuffle(&mut deck[1..]);
    deck
}

/// Reveals the cards of the next day and tests the seats that drew wind (R3.1, R3.2).
fn begin(staged: &mut Stage, first: Seat) {
    let state = staged.state();
    let tops: Vec<Option<Card>> =
        state.plots.iter().map(|plot| plot.deck.first().copied()).collect();
    let cards = tops.iter().map(|card| card.and_then(Card::figure)).collect();
    let from_first = [first].into_iter().chain(state.seats_after(first)).take(tops.len());
    staged.emit(Event::DayBegan { day: state.day + 1, first, cards });
    for seat in from_first {
        if matches!(tops.get(seat.index()), Some(Some(Card::Wind(_)))) {
            test(staged, seat);
        }
    }
    open_selection(staged);
}

fn test(staged: &mut Stage, seat: Seat) {
    let plot = staged.state().plot(seat);
    let balance = plot.sprout.balance();
    match balance.imbalance() {
        None => staged.emit(Event::BalancePassed { seat, balance }), // R3.3
        Some(lost) => {
            let paid = lost.min(plot.reserve); // R3.4
            staged.emit(Event::BalanceFailed { seat, balance, lost, paid });
        }
    }
}

/// The auction begins once nobody owes anything (R4.1).
pub(super) fn open_selection(staged: &mut Stage) {
    let state = staged.state();
    if state.phase == Phase::Testing && Brotando::to_act(state).is_empty() {
        staged.emit(Event::SelectionOpened { seat: state.first });
    }
}

pub(super) fn drop(
    state: &State,
    seat: Seat,
    segment: Segment,
    at: Timestamp,
) -> Result<Vec<Event>, Refusal> {
    let plot = state.plot(seat);
    if plot.debt == 0 {
        return Err(Refusal::NothingOwed); // R3.5
    }
    if !plot.sprout.contains(segment) {
        return Err(Refusal::NoSuchSegment); // R3.5
    }
    let mut staged = Stage::new(state, at);
    staged.emit(Event::SegmentDropped { seat, segment });
    open_selection(&mut staged);
    Ok(staged.into_events())
}

/// Once every seat has grown, the suns pay, and the next day begins or the match ends.
pub(super) fn end(staged: &mut Stage) {
    let state = staged.state();
    if state.plots.iter().any(|plot| !plot.grown) {
        return;
    }
    let rewards = state.plots.iter().map(Plot::reward).collect(); // R6.1, R6.2
    let next = state.first.next(state.seats()); // R2.4
    staged.emit(Event::RewardsPaid { rewards });
    let state = staged.state();
    if state.day < DAYS {
        begin(staged, next); // R6.3
    } else {
        let hands = state.plots.iter().map(|plot| plot.hand.iter().map(|held| held.wind).collect());
        staged.emit(Event::GameEnded { hands: hands.collect() }); // R8.1
    }
}
