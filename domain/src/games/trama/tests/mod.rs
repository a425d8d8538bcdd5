//! Every rule of RULES.md, and the rulebook's worked examples.

use super::{
    Trama,
    cards::{Card, Objective},
    components::{Axis, Colour},
    cords::Cords,
    events::Event,
    moves::Move,
    slots::{Slot, Slots},
};
use crate::{
    game::{Decide, LegalMoves, Redeal, Score, ShowEvent, ShowState, Turns, Words},
    seat::Seat,
    testing::{Given, given, opened},
};

mod draft;
mod luck;
mod material;
mod pattern;
mod recount;
mod scoring;
mod weaving;

pub(super) use Axis::{Horizontal, Vertical};
pub(super) use Colour::{Blue, Pink, Purple, Red, Sky};

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

fn slot(number: u8) -> Slot {
    Slot::try_from(number).unwrap()
}

fn slots(numbers: &[u8]) -> Slots {
    numbers.iter().map(|number| slot(*number)).collect()
}

fn cords(colours: &[Colour]) -> Cords {
    colours.iter().copied().collect()
}

fn pick(colour: Colour) -> Move {
    Move::Pick { colour }
}

fn weave(colour: Colour, axis: Axis, at: u8, over: &[u8]) -> Move {
    Move::Weave { colour, axis, slot: slot(at), over: slots(over) }
}

fn place(card: Card) -> Move {
    Move::PlaceButton { card }
}

const ADJACENT: [Card; 4] =
    [Card::AdjacentRedPink, Card::AdjacentRedBlue, Card::AdjacentPinkPurple, Card::AdjacentSkyBlue];
const INTERLACED: [Card; 4] = [
    Card::InterlacedRedPink,
    Card::InterlacedBlueRed,
    Card::InterlacedPurpleRed,
    Card::InterlacedPurplePink,
];

fn table_set(objective: Objective) -> Event {
    Event::TableSet { objective, adjacent: ADJACENT.to_vec(), interlaced: INTERLACED.to_vec() }
}

/// A table in its first round, with these hands.
fn dealt(hands: &[[Colour; 5]]) -> Given<Trama> {
    let drawn = hands.iter().map(|hand| cords(hand)).collect();
    given(
        u8::try_from(hands.len()).unwrap(),
        [table_set(Objective::PurplePinkAndSkyBlue), Event::CordsDrawn { round: 1, hands: drawn }],
    )
}

/// A table whose seats have collected these cords and weave next.
fn collected(by_seat: &[[Colour; 4]]) -> Given<Trama> {
    let hands: Vec<[Colour; 5]> =
        by_seat.iter().map(|[a, b, c, d]| [*a, *b, *c, *d, Red]).collect();
    let picks = (0..4).map(|nth| Event::PicksRevealed {
        picks: by_seat.iter().map(|collected| collected[nth]).collect(),
    });
    let last = Event::LastCordsDiscarded { cords: vec![cords(&[Red]); by_seat.len()] };
    dealt(&hands).and(picks).and([last])
}

/// A table of two where buttons are placed in the given round and nothing is on the looms.
fn placing(round: u8, buttons_of_seat_0: &[Card]) -> Given<Trama> {
    let mut table = dealt(&[[Red, Pink, Sky, Blue, Purple]; 2]).and([Event::WeavingFinished {}]);
    table.state.round = round;
    for (button, card) in table.state.areas[0].buttons.iter_mut().zip(buttons_of_seat_0) {
        *button = Some(*card);
    }
    table
}

/// What a viewer is shown, as JSON.
fn shown(table: &Given<Trama>, viewer: crate::seat::Viewer) -> serde_json::Value {
    serde_json::to_value(Trama::view(&table.state, viewer)).unwrap()
}
