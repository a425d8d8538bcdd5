//! Every legal move.

use super::{
    Brotando,
    cards::Wind,
    decide::{auction, winds},
    moves::{Move, WindPlay},
    state::{Phase, State},
};
use crate::{
    game::{LegalMoves, Turns},
    seat::Seat,
};

impl LegalMoves for Brotando {
    fn legal_moves(state: &State, seat: Seat) -> Box<dyn Iterator<Item = Move> + '_> {
        if let Some(arranger) = state.arranging {
            let orders = if arranger == seat { winds::orders(state, seat) } else { Vec::new() };
            return Box::new(orders.into_iter().map(|order| Move::Arrange { order }));
        }
        let awaited =
            if Self::to_act(state).contains(seat) { awaited(state, seat) } else { Vec::new() };
        let winds = wind_plays(state, seat).map(|wind| Move::PlayWind { wind });
        Box::new(awaited.into_iter().chain(winds))
    }
}

/// The moves that the match is waiting for from this seat.
fn awaited(state: &State, seat: Seat) -> Vec<Move> {
    let plot = state.plot(seat);
    match state.phase {
        Phase::Setup | Phase::Over => Vec::new(),
        Phase::Testing => {
            let segments = plot.sprout.segments();
            segments.into_iter().map(|segment| Move::Drop { segment }).collect()
        }
        Phase::Selecting { .. } => cards(state).map(|card| Move::Select { card }).collect(),
        Phase::Bidding { .. } => {
            let amounts = auction::lowest_bid(state)..=plot.reserve;
            [Move::Leave {}].into_iter().chain(amounts.map(|amount| Move::Bid { amount })).collect()
        }
        Phase::Deciding { highest, .. } if highest.half() > plot.reserve => vec![Move::Sell {}],
        Phase::Deciding { .. } => vec![Move::Keep {}, Move::Sell {}],
        Phase::Growing => {
            let growths = plot.growths();
            if growths.is_empty() {
                return vec![Move::Skip {}];
            }
            growths.into_iter().map(|segments| Move::Grow { segments: segments.into() }).collect()
        }
    }
}

fn cards(state: &State) -> impl Iterator<Item = u8> {
    (0..state.seats()).filter(|card| state.card(*card).is_some())
}

fn wind_plays(state: &State, seat: Seat) -> impl Iterator<Item = WindPlay> {
    let playing = !matches!(state.phase, Phase::Setup | Phase::Over);
    let simple = [WindPlay::TakeSix {}, WindPlay::ReorderDeck {}, WindPlay::BalanceFour {}];
    let holds = state.plot(seat).holds(Wind::TakeCard);
    let takes = cards(state).filter(move |_| holds).map(|card| WindPlay::TakeCard { card });
    simple
        .into_iter()
        .chain(takes)
        .filter(move |play| playing && winds::check(state, seat, *play).is_ok())
}
