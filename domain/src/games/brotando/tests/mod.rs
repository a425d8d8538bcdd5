//! Every rule of RULES.md, and the rulebook's worked examples.

mod auction;
mod balance;
mod growth;
mod luck;
mod random;
mod score;
mod setup;
mod winds;
mod words;

use super::{
    Brotando,
    cards::{Card, Figure, PeekedCard, Wind},
    events::{Bid, Deal, Event},
    moves::{Move, WindPlay},
    refusal::Refusal,
    sprout::{Segment, Sprout},
    state::{HeldWind, Phase, State},
};
use crate::{
    game::{Decide, Evolve, LegalMoves, Redeal, Score, ShowEvent, ShowState, Turns, Words},
    seat::{Seat, SeatSet, Viewer},
    testing::{Given, given, opened},
};

/// The figure of the rulebook's first example.
const EXAMPLE: &str = "##./.##/.##";

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

fn seats(numbers: &[u8]) -> SeatSet {
    numbers.iter().copied().map(seat).collect()
}

/// The growth card with this figure.
fn figure(picture: &str) -> Figure {
    let is_it = |figure: &Figure| figure.shape().picture.join("/") == picture;
    Figure::all_cards().into_iter().find(is_it).expect("a printed figure")
}

fn growth(picture: &str) -> Card {
    Card::Growth(figure(picture))
}

fn select(card: u8) -> Move {
    Move::Select { card }
}

fn bid(amount: u16) -> Move {
    Move::Bid { amount }
}

fn grow(segments: &[Segment]) -> Move {
    Move::Grow { segments: segments.to_vec().into() }
}

const LEAVE: Move = Move::Leave {};
const KEEP: Move = Move::Keep {};
const SELL: Move = Move::Sell {};
const SKIP: Move = Move::Skip {};
const TAKE_SIX: Move = Move::PlayWind { wind: WindPlay::TakeSix {} };
const REORDER: Move = Move::PlayWind { wind: WindPlay::ReorderDeck {} };
const FOUR: Move = Move::PlayWind { wind: WindPlay::BalanceFour {} };

fn take_card(card: u8) -> Move {
    Move::PlayWind { wind: WindPlay::TakeCard { card } }
}

fn nths(order: &[u8]) -> Vec<PeekedCard> {
    order.iter().copied().map(PeekedCard).collect()
}

fn arrange(order: &[u8]) -> Move {
    Move::Arrange { order: nths(order) }
}

/// Day 1, seat 0 first and selecting, with these cards in the centre.
fn centre(cards: &[Card]) -> Given<Brotando> {
    let deck = |top: &Card| {
        let rest = ["##/##/##", "###/###", "######", "####/#..#"].map(growth);
        [*top].into_iter().chain(rest).collect()
    };
    given(
        u8::try_from(cards.len()).unwrap(),
        [
            Event::DecksDealt { decks: cards.iter().map(deck).collect() },
            Event::FirstSeatDrawn { seat: seat(0) },
            Event::DayBegan {
                day: 1,
                first: seat(0),
                cards: cards.iter().map(|card| card.figure()).collect(),
            },
            Event::SelectionOpened { seat: seat(0) },
        ],
    )
}

/// The same with one growth card per seat.
fn table(seats: usize) -> Given<Brotando> {
    centre(&vec![growth(EXAMPLE); seats])
}

fn set(mut table: Given<Brotando>, change: impl FnOnce(&mut State)) -> Given<Brotando> {
    change(&mut table.state);
    table
}

/// Seat 0 is about to grow with this card and sprout; seat 1 has grown.
fn growing(card: Card, reserve: u16, segments: &[Segment]) -> Given<Brotando> {
    set(table(2), |state| {
        state.phase = Phase::Growing;
        state.centre = vec![None; 2];
        state.plots[0].card = Some(card);
        state.plots[0].reserve = reserve;
        state.plots[0].sprout = sprout(segments);
        state.plots[1].grown = true;
    })
}

/// A table where only seat 0 has not grown and has nothing to place: its `skip` ends the day.
fn dusk(tops: &[Card], day: u8) -> Given<Brotando> {
    set(centre(tops), |state| {
        state.phase = Phase::Growing;
        state.day = day;
        for (plot, top) in state.plots.iter_mut().zip(tops) {
            plot.deck.insert(0, *top);
            plot.grown = true;
        }
        state.plots[0].grown = false;
        // Seat 0 is the first of the new day.
        state.first = seat(state.seats() - 1);
    })
}

fn sprout(segments: &[Segment]) -> Sprout {
    let mut sprout = Sprout::EMPTY;
    for segment in segments {
        sprout.add(*segment);
    }
    sprout
}

/// A sprout with these numbers of squares on each side and in the centre, away from orange suns.
fn spread(left: u8, right: u8, centre: u8) -> Sprout {
    let left = (0..left / 2).map(|row| Segment::right(1, row));
    let right = (0..right / 2).map(|row| Segment::right(11, row));
    let centre = (0..centre / 2).map(|pair| Segment::down(7, 2 * pair));
    sprout(&left.chain(right).chain(centre).collect::<Vec<_>>())
}

fn hold(state: &mut State, number: usize, wind: Wind) {
    state.plots[number].hand.push(HeldWind { wind, since: 0 });
}

fn shown(table: &Given<Brotando>, viewer: Viewer) -> serde_json::Value {
    serde_json::to_value(Brotando::view(&table.state, viewer)).unwrap()
}

fn told(event: &Event, viewer: Viewer) -> serde_json::Value {
    serde_json::to_value(Brotando::event_view(event, viewer)).unwrap()
}
