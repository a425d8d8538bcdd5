//! Every rule of RULES.md.

use super::{
    Mode, Options, Tapestry,
    components::{Card, SLOTS, START},
    decide,
    events::Event,
    moves::Move,
    state::Phase,
    weave::{Cell, Weave},
};
use crate::{
    game::{Context, Decide, Evolve, Redeal, Score, ShowEvent, ShowState, Turns, Words},
    seat::Seat,
    testing::{Given, given_with, opened},
    text::Lang,
    time::Timestamp,
};

mod cards;
mod ending;
mod luck;
mod random;
mod table;
mod weaving;
mod words;

/// The card with this English name.
fn card(name: &str) -> Card {
    Card::all().find(|card| card.name(Lang::En) == name).expect("the name of a card")
}

fn draw(slot: u8) -> Move {
    Move::Draw { slot }
}

fn place(row: u8, column: u8) -> Move {
    Move::Place { row, column }
}

fn exchange(row: u8, column: u8) -> Move {
    Move::Exchange { row, column }
}

const DISCARD: Move = Move::Discard {};

/// A whole deck that begins with these cards.
fn stacked(first: &[Card]) -> Vec<Card> {
    let mut rest: Vec<Card> = Card::all().collect();
    for card in first {
        let found = rest.iter().position(|other| other == card).expect("no card five times");
        rest.remove(found);
    }
    first.iter().copied().chain(rest).collect()
}

/// A table set with these cards, in the order in which they are dealt.
fn table(mode: Mode, cards: &[Card]) -> Given<Tapestry> {
    given_with(1, &Options { mode }, [decide::dealt(cards)])
}

/// A table set with any cards.
fn any_table(mode: Mode) -> Given<Tapestry> {
    table(mode, &stacked(&[]))
}

/// A tapestry of these cards alone, and a card in hand that was drawn from slot 0.
fn holding(hand: &str, laid: &[(u8, u8, &str)]) -> Given<Tapestry> {
    let mut table = any_table(Mode::Time).play(0, &draw(0), []);
    table.state.tapestry = Weave::new();
    for (row, column, name) in laid {
        let cell = Cell::new(*row, *column).expect("a cell of the field");
        table.state.tapestry.lay(cell, card(name));
    }
    table.state.phase = Phase::Holding { card: card(hand), slot: 0, chain: 0 };
    table
}

/// A complete tapestry, row by row from row 2, column 2: colours in bands, bodies in turn.
fn complete() -> Vec<(Cell, Card)> {
    let bodies = ["asteroid", "comet", "nebula"];
    let colours = ["red", "orange", "yellow", "green", "blue", "purple"];
    (0..64_u8)
        .map(|k| {
            let name = format!("{} {}", colours[usize::from(k / 11)], bodies[usize::from(k % 3)]);
            (Cell { row: 2 + k / 8, column: 2 + k % 8 }, card(&name))
        })
        .collect()
}

/// The deck and the places for its cards that lead to the complete tapestry when the slots are drawn in turn.
fn plan() -> (Vec<Card>, Vec<Cell>) {
    let (start, mut rest): (Vec<_>, Vec<_>) =
        complete().into_iter().partition(|(cell, _)| Cell::start().contains(cell));
    let mut laid = start;
    while !rest.is_empty() {
        let touches = |(cell, _): &(Cell, Card)| {
            laid.iter().any(|(other, _)| {
                cell.row.abs_diff(other.row) + cell.column.abs_diff(other.column) == 1
            })
        };
        let next = rest.iter().position(touches).expect("a cell beside the tapestry");
        laid.push(rest.remove(next));
    }
    let cards: Vec<Card> = laid.iter().map(|(_, card)| *card).collect();
    (stacked(&cards), laid.into_iter().skip(START).map(|(cell, _)| cell).collect())
}

/// A match with moves at given times.
struct Clocked {
    table: Given<Tapestry>,
    events: Vec<Event>,
}

impl Clocked {
    fn new(mode: Mode, cards: &[Card], at: Timestamp) -> Self {
        let mut table = given_with(1, &Options { mode }, []);
        let events = vec![decide::dealt(cards)];
        for event in &events {
            Tapestry::evolve(&mut table.state, event, at);
        }
        Self { table, events }
    }

    fn play(&mut self, mv: Move, at: Timestamp) {
        let mut chance = crate::chance::Scripted::new([]);
        let mut cx = Context { chance: &mut chance, at };
        let made = Tapestry::decide(&self.table.state, Seat::FIRST, &mv, &mut cx);
        let events = made.expect("a legal move");
        for event in &events {
            Tapestry::evolve(&mut self.table.state, event, at);
        }
        self.events.extend(events);
    }
}

/// A match that has played the whole plan except the last card, which is in hand; it began at minute 1.
fn one_card_short(mode: Mode) -> (Clocked, Cell) {
    let minute = Timestamp::from_micros(60_000_000);
    let (cards, cells) = plan();
    let mut game = Clocked::new(mode, &cards, minute);
    let (last, cells) = cells.split_last().expect("60 cells");
    let mut slots = (0..SLOTS).cycle().map(|slot| u8::try_from(slot).expect("a small number"));
    for cell in cells {
        game.play(draw(slots.next().expect("a cycle")), minute);
        game.play(place(cell.row, cell.column), minute);
    }
    game.play(draw(slots.next().expect("a cycle")), minute);
    (game, *last)
}
