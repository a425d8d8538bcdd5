//! Wind cards (R7).

use super::{Stage, auction, day};
use crate::{
    games::brotando::{
        cards::{PeekedCard, Wind},
        components::{FOUR, PEEKED, SIX},
        events::{Deal, Event},
        moves::WindPlay,
        refusal::Refusal,
        state::{Phase, State},
    },
    seat::Seat,
    time::Timestamp,
};

/// Whether a seat may play this wind card now.
pub(crate) fn check(state: &State, seat: Seat, play: WindPlay) -> Result<(), Refusal> {
    let plot = state.plot(seat);
    if !plot.holds(play.wind()) {
        return Err(Refusal::NoSuchWind); // R7.1
    }
    match (play, state.phase) {
        (WindPlay::ReorderDeck {}, _) if plot.deck.is_empty() => Err(Refusal::DeckEmpty), // R7.5
        (WindPlay::TakeSix {} | WindPlay::ReorderDeck {}, _) => Ok(()),
        (WindPlay::BalanceFour {}, _) if plot.has_balanced(state.day) => Ok(()),
        (WindPlay::BalanceFour {}, _) => Err(Refusal::NoTestPassed), // R7.6
        (WindPlay::TakeCard { card }, Phase::Selecting { active }) if active == seat => {
            state.card(card).map(|_| ()).ok_or(Refusal::NoSuchCard) // R4.1
        }
        (
            WindPlay::TakeCard { card },
            Phase::Bidding { active, card: selected, highest: None, .. },
        ) if active == seat => {
            if card == selected { Ok(()) } else { Err(Refusal::OtherCardSelected) } // R7.7
        }
        (WindPlay::TakeCard { .. }, _) => Err(Refusal::CannotTakeNow), // R7.7
    }
}

pub(super) fn play(
    state: &State,
    seat: Seat,
    play: WindPlay,
    at: Timestamp,
) -> Result<Vec<Event>, Refusal> {
    check(state, seat, play)?;
    let wind = play.wind();
    let gained = match wind {
        Wind::TakeSix => SIX,      // R7.4
        Wind::BalanceFour => FOUR, // R7.6
        Wind::ScoreYellow | Wind::IgnoreLine | Wind::ReorderDeck | Wind::TakeCard => 0,
    };
    let mut staged = Stage::new(state, at);
    staged.emit(Event::WindPlayed { seat, wind, gained });
    match play {
        WindPlay::TakeSix {} | WindPlay::BalanceFour {} => pay_debt(&mut staged, seat),
        WindPlay::ReorderDeck {} => {
            let cards = state.plot(seat).deck.iter().take(PEEKED).copied().collect();
            staged.emit(Event::DeckPeeked { seat, cards }); // R7.5
        }
        WindPlay::TakeCard { card } => auction::obtain(&mut staged, seat, card, Deal::ByWind {}), // R7.7
    }
    Ok(staged.into_events())
}

/// Segments taken while a test is unpaid pay for it first (R3.4, R7.4).
fn pay_debt(staged: &mut Stage, seat: Seat) {
    let plot = staged.state().plot(seat);
    let paid = plot.debt.min(plot.reserve);
    if paid > 0 {
        staged.emit(Event::DebtPaid { seat, paid });
        day::open_selection(staged);
    }
}

pub(super) fn arrange(
    state: &State,
    seat: Seat,
    order: &[PeekedCard],
) -> Result<Vec<Event>, Refusal> {
    let top = order.first().and_then(|top| state.plot(seat).deck.get(usize::from(top.0)));
    match top {
        Some(top) if orders(state, seat).iter().any(|legal| legal == order) => {
            Ok(vec![Event::DeckArranged { seat, order: order.to_vec(), top: top.back() }])
        }
        _ => Err(Refusal::BadOrder), // R7.5
    }
}

/// Every order of the cards that a seat is looking at.
pub(crate) fn orders(state: &State, seat: Seat) -> Vec<Vec<PeekedCard>> {
    let cards = || (0..state.plot(seat).known).map(PeekedCard);
    cards().fold(vec![Vec::new()], |orders, _| {
        let longer = |order: Vec<PeekedCard>| {
            let free = cards().filter(|card| !order.contains(card));
            free.map(|card| [&order[..], &[card]].concat()).collect::<Vec<_>>()
        };
        orders.into_iter().flat_map(longer).collect()
    })
}
