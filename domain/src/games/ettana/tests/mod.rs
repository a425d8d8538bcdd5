//! Every rule of RULES.md, the rulebook's worked examples, and laws over long matches.

use super::{
    Ettana,
    board::{Pair, Skeins},
    components::{ActionCard, Colour, Face},
    designs::DesignId,
    events::{Event, Means, Roll, RollMethod},
    moves::{Move, Play},
    refusal::Refusal,
    state::{Phase, State},
};
use crate::{
    chance::{Chance, Keyed, Seed},
    game::{
        Context, Decide, Evolve, LegalMoves, Redeal, Score, ShowEvent, ShowState, Turns, Words,
    },
    seat::Seat,
    testing::{Given, given, opened},
    time::Timestamp,
};

mod acting;
mod cards;
mod collecting;
mod designs;
mod ending;
mod laws;
mod luck;
mod setup;
mod words;

/// A board on which no two neighbouring skeins, diagonals included, have the same colour.
const MOTLEY: &str = "grybl yblgr lgryb ryblg blgry";

const TILES: [u8; 16] = [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4];

const END: Move = Move::EndTurn {};

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

fn skeins(picture: &str) -> Skeins {
    let mut colours = picture.chars().filter_map(|letter| match letter {
        'g' => Some(Colour::Green),
        'r' => Some(Colour::Red),
        'y' => Some(Colour::Yellow),
        'b' => Some(Colour::Blue),
        'l' => Some(Colour::Lilac),
        _ => None,
    });
    [(); 25].map(|()| colours.next().expect("25 skeins"))
}

fn design(id: &str) -> DesignId {
    DesignId::try_from(id.to_owned()).expect("a design")
}

/// The octagon with this name.
fn at(name: &str) -> u8 {
    (0..25).find(|octagon| super::board::octagon_name(*octagon) == name).expect("an octagon")
}

fn pair(one: &str, other: &str) -> Pair {
    Pair::new(at(one), at(other))
}

fn walk(path: &[u8]) -> Move {
    Move::Walk { path: path.to_vec() }
}

fn play(card: Play) -> Move {
    Move::Play { card }
}

fn claim(id: &str) -> Move {
    Move::Claim { design: design(id), at: None }
}

/// A table with pieces on these tiles, without cards and tokens; seat 0 is about to roll.
fn table(places: &[u8]) -> Given<Ettana> {
    let laid = Event::TableLaid { skeins: skeins(MOTLEY), tiles: TILES, reserve: [5, 6] };
    let settled = places
        .iter()
        .zip(0..)
        .map(|(tile, number)| Event::PieceSettled { seat: seat(number), tile: *tile });
    let seats = u8::try_from(places.len()).unwrap();
    given(seats, [laid, Event::StartDecided { seat: seat(0) }])
        .and(settled)
        .and([Event::TurnBegan { seat: seat(0) }])
}

/// The same after seat 0 has rolled.
fn rolled(places: &[u8], number: u8, face: Face) -> Given<Ettana> {
    let roll = Roll { number, face, how: RollMethod::Rolled };
    table(places).and([Event::DiceRolled { seat: seat(0), roll }])
}

/// The same after seat 0 has rolled this number and everybody has collected nothing.
fn acting(places: &[u8], number: u8) -> Given<Ettana> {
    let tokens = vec![0; places.len()];
    rolled(places, number, Face::Red).and([Event::IncomePaid { tokens }])
}

trait Has {
    fn tokens(self, seat: usize, tokens: u8) -> Self;
    fn cards(self, seat: usize, cards: &[ActionCard]) -> Self;
    fn designs(self, seat: usize, ids: &[&str]) -> Self;
    fn claimed(self, seat: usize, ids: &[&str]) -> Self;
    fn board(self, picture: &str) -> Self;
}

impl Has for Given<Ettana> {
    fn tokens(mut self, seat: usize, tokens: u8) -> Self {
        self.state.weavers[seat].tokens = tokens;
        self
    }

    fn cards(mut self, seat: usize, cards: &[ActionCard]) -> Self {
        for card in cards {
            self.state.action_deck.remove(*card);
            self.state.weavers[seat].actions.add(*card);
        }
        self
    }

    fn designs(mut self, seat: usize, ids: &[&str]) -> Self {
        for id in ids {
            self.state.design_deck.remove(design(id));
            self.state.weavers[seat].designs.add(design(id));
        }
        self
    }

    fn claimed(mut self, seat: usize, ids: &[&str]) -> Self {
        for id in ids {
            self.state.design_deck.remove(design(id));
            self.state.weavers[seat].claimed.add(design(id));
        }
        self
    }

    fn board(mut self, picture: &str) -> Self {
        self.state.skeins = skeins(picture);
        self
    }
}

fn tokens(table: &Given<Ettana>) -> Vec<u8> {
    table.state.weavers.iter().map(|weaver| weaver.tokens).collect()
}

fn has_listed(table: &Given<Ettana>, wanted: impl Fn(&Move) -> bool) -> bool {
    table.legal(table.state.active.number()).iter().any(wanted)
}

fn luck(seed: u64) -> Keyed {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_be_bytes());
    Keyed::new(Seed::from(bytes).match_key(uuid::Uuid::nil(), &[]), 0)
}

/// A match whose moves `choose` picks, with its events; `look` is called before every move.
fn play_out(
    seats: u8,
    seed: u64,
    choose: impl Fn(&State, Seat, &mut dyn Chance) -> Option<Move>,
    mut look: impl FnMut(&State, &[Event]),
) -> (State, Vec<Event>) {
    let mut chance = luck(seed);
    let mut state = opened::<Ettana>(seats);
    let mut cx = Context { chance: &mut chance, at: Timestamp::default() };
    let mut log = Ettana::setup(&state, &mut cx);
    for event in &log {
        Ettana::evolve(&mut state, event, cx.at);
    }
    while !Ettana::finished(&state) {
        look(&state, &log);
        let mv = choose(&state, state.active, cx.chance).expect("a legal move");
        let events = Ettana::decide(&state, state.active, &mv, &mut cx).expect("a legal move");
        for event in &events {
            Ettana::evolve(&mut state, event, cx.at);
        }
        log.extend(events);
    }
    (state, log)
}
