//! Auctions (R4).

use super::Stage;
use crate::{
    games::brotando::{
        events::{Bid, Deal, Event},
        refusal::Refusal,
        state::{Phase, State},
    },
    seat::Seat,
    time::Timestamp,
};

pub(super) fn select(state: &State, seat: Seat, card: u8) -> Result<Vec<Event>, Refusal> {
    if state.card(card).is_none() {
        return Err(Refusal::NoSuchCard); // R4.1
    }
    Ok(vec![Event::CardSelected { seat, card, figure: state.figure(card) }])
}

pub(super) fn bid(
    state: &State,
    seat: Seat,
    amount: u16,
    at: Timestamp,
) -> Result<Vec<Event>, Refusal> {
    if amount < lowest_bid(state) {
        return Err(Refusal::BidTooLow); // R4.2
    }
    if amount > state.plot(seat).reserve {
        return Err(Refusal::BidBeyondReserve); // R4.3
    }
    let mut staged = Stage::new(state, at);
    staged.emit(Event::BidMade { seat, amount });
    close(&mut staged);
    Ok(staged.into_events())
}

pub(super) fn leave(state: &State, seat: Seat, at: Timestamp) -> Vec<Event> {
    let mut staged = Stage::new(state, at);
    staged.emit(Event::BidderLeft { seat });
    close(&mut staged);
    staged.into_events()
}

/// One more than the highest bid (R4.2).
pub(crate) fn lowest_bid(state: &State) -> u16 {
    match state.phase {
        Phase::Bidding { highest: Some(bid), .. } => bid.amount.saturating_add(1),
        _ => 1,
    }
}

/// Ends the bidding when nobody is left to raise.
fn close(staged: &mut Stage) {
    let Phase::Bidding { active, card, bidders, highest, .. } = staged.state().phase else {
        return;
    };
    match highest {
        None if bidders.is_empty() => obtain(staged, active, card, Deal::Unbid {}), // R4.5
        Some(highest) if bidders.len() == 1 => staged.emit(Event::BiddingClosed { highest }), // R4.4
        _ => {}
    }
}

pub(super) fn keep(
    state: &State,
    seat: Seat,
    card: u8,
    highest: Bid,
    at: Timestamp,
) -> Result<Vec<Event>, Refusal> {
    let paid = highest.half();
    if paid > state.plot(seat).reserve {
        return Err(Refusal::CannotPayHalf); // R4.6
    }
    let mut staged = Stage::new(state, at);
    obtain(&mut staged, seat, card, Deal::Kept { bidder: highest.seat, paid });
    Ok(staged.into_events())
}

pub(super) fn sell(state: &State, seat: Seat, card: u8, highest: Bid, at: Timestamp) -> Vec<Event> {
    let mut staged = Stage::new(state, at);
    let deal = Deal::Bought { seller: seat, price: highest.amount }; // R4.7
    obtain(&mut staged, highest.seat, card, deal);
    staged.into_events()
}

/// Gives a card of the centre to a seat; then the next seat selects, or growth begins.
pub(super) fn obtain(staged: &mut Stage, seat: Seat, card: u8, deal: Deal) {
    let face = staged.state().card(card).expect("a card that was checked lies in the centre");
    let active = match staged.state().phase {
        Phase::Selecting { active }
        | Phase::Bidding { active, .. }
        | Phase::Deciding { active, .. } => active,
        Phase::Setup | Phase::Testing | Phase::Growing | Phase::Over => seat,
    };
    staged.emit(Event::CardObtained { seat, card, face, deal });
    let state = staged.state();
    let waiting = state.without_card();
    // R4.8: the active seat continues until it has a card.
    let next =
        if waiting.contains(active) { Some(active) } else { state.next_among(waiting, active) };
    let left = (0..state.seats()).find(|card| state.card(*card).is_some());
    match (next, left) {
        (Some(last), Some(card)) if waiting.len() == 1 => {
            obtain(staged, last, card, Deal::Last {}); // R4.9
        }
        (Some(next), _) => staged.emit(Event::SelectionOpened { seat: next }),
        (None, _) => staged.emit(Event::GrowthOpened {}),
    }
}
