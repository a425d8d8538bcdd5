//! Which move led to an event.

use super::{
    Brotando,
    cards::{Card, Figure, Wind},
    events::{Deal, Event},
    moves::{Move, WindPlay},
    state::State,
};
use crate::game::{Retrace, Retraced, index_of, unshuffle};

impl Retrace for Brotando {
    fn setup_draws(_state: &State, events: &[Event]) -> Option<Vec<u32>> {
        let [Event::DecksDealt { decks }, Event::FirstSeatDrawn { seat }, ..] = events else {
            return None;
        };
        let (mut growth, mut winds) = (Figure::all_cards(), Wind::all_cards());
        let mut draws = Vec::new();
        for deck in decks {
            draws.extend(dealt(deck, &mut growth, &mut winds)?);
        }
        draws.push(seat.number().into());
        Some(draws)
    }

    fn retrace(_state: &State, events: &[Event]) -> Option<Retraced<Move>> {
        let (seat, mv) = match events.first()? {
            Event::SegmentDropped { seat, segment } => (*seat, Move::Drop { segment: *segment }),
            Event::CardSelected { seat, card, figure: _ } => (*seat, Move::Select { card: *card }),
            Event::BidMade { seat, amount } => (*seat, Move::Bid { amount: *amount }),
            Event::BidderLeft { seat } => (*seat, Move::Leave {}),
            Event::CardObtained { seat, deal, .. } => match deal {
                Deal::Kept { .. } => (*seat, Move::Keep {}),
                Deal::Bought { seller, .. } => (*seller, Move::Sell {}),
                Deal::Unbid {} | Deal::Last {} | Deal::ByWind {} => return None,
            },
            Event::SproutGrown { seat, segments, crossed: _ } => {
                (*seat, Move::Grow { segments: segments.clone().into() })
            }
            Event::GrowthSkipped { seat } => (*seat, Move::Skip {}),
            Event::WindPlayed { seat, wind, gained: _ } => {
                (*seat, Move::PlayWind { wind: played(*wind, events.get(1))? })
            }
            Event::DeckArranged { seat, order, top: _ } => {
                (*seat, Move::Arrange { order: order.clone() })
            }
            Event::DecksDealt { .. }
            | Event::FirstSeatDrawn { .. }
            | Event::DayBegan { .. }
            | Event::BalancePassed { .. }
            | Event::BalanceFailed { .. }
            | Event::DebtPaid { .. }
            | Event::SelectionOpened { .. }
            | Event::BiddingClosed { .. }
            | Event::GrowthOpened {}
            | Event::RewardsPaid { .. }
            | Event::DeckPeeked { .. }
            | Event::GameEnded { .. } => return None,
        };
        Some(Retraced::new(seat, mv))
    }
}

/// How a wind card was played, by the event after it.
fn played(wind: Wind, next: Option<&Event>) -> Option<WindPlay> {
    match (wind, next) {
        (Wind::TakeSix, _) => Some(WindPlay::TakeSix {}),
        (Wind::ReorderDeck, _) => Some(WindPlay::ReorderDeck {}),
        (Wind::BalanceFour, _) => Some(WindPlay::BalanceFour {}),
        (Wind::TakeCard, Some(Event::CardObtained { card, .. })) => {
            Some(WindPlay::TakeCard { card: *card })
        }
        (Wind::TakeCard | Wind::ScoreYellow | Wind::IgnoreLine, _) => None,
    }
}

/// The draws with which a deck was dealt from these cards: first growth, then winds, then the shuffle under the top card.
fn dealt(deck: &[Card], growth: &mut Vec<Figure>, winds: &mut Vec<Wind>) -> Option<Vec<u32>> {
    let mut draws = Vec::new();
    let mut dealt = Vec::new();
    for card in deck {
        if let Card::Growth(figure) = card {
            draws.push(take(growth, figure)?);
            dealt.push(*card);
        }
    }
    for card in deck {
        if let Card::Wind(wind) = card {
            draws.push(take(winds, wind)?);
            dealt.push(*card);
        }
    }
    draws.extend(unshuffle(dealt.get(1..)?, deck.get(1..)?)?);
    Some(draws)
}

/// Takes a card from a pile as `swap_remove` does.
fn take<T: Copy + PartialEq>(pile: &mut Vec<T>, card: &T) -> Option<u32> {
    let index = index_of(pile.iter().copied(), card)?;
    pile.swap_remove(usize::try_from(index).ok()?);
    Some(index)
}
