//! The setup, and who begins (R1, R2).

use super::{
    super::{
        board::{OCTAGONS, TILES, tiles},
        components::{Colour, FIRST_TOKENS, SKEINS_ON_BOARD, TILES_PER_NUMBER},
        events::{Event, Throw},
        state::State,
    },
    Stage, draw,
};
use crate::{chance::Chance, game::Context, seat::Seat};

pub(crate) fn setup(state: &State, cx: &mut Context<'_>) -> Vec<Event> {
    let mut events = vec![lay(cx.chance)];
    let mut throws = throw(Seat::all(state.seats()).collect(), cx.chance); // R2.1
    events.push(Event::StartRolled { throws: throws.clone() });
    loop {
        let best = throws.iter().map(|throw| throw.number).max();
        let tied: Vec<Seat> = throws
            .iter()
            .filter(|throw| Some(throw.number) == best)
            .map(|throw| throw.seat)
            .collect();
        if let [seat] = tied[..] {
            events.push(Event::StartDecided { seat });
            return events;
        }
        throws = throw(tied, cx.chance); // R2.2
        events.push(Event::TieRolled { throws: throws.clone() });
    }
}

fn throw(seats: Vec<Seat>, chance: &mut dyn Chance) -> Vec<Throw> {
    seats.into_iter().map(|seat| Throw { seat, number: chance.die() }).collect()
}

fn lay(chance: &mut dyn Chance) -> Event {
    let mut skeins = [Colour::Green; OCTAGONS];
    for (index, skein) in skeins.iter_mut().enumerate() {
        *skein = Colour::ALL[index / SKEINS_ON_BOARD]; // R1.2
    }
    chance.shuffle(&mut skeins);
    let mut numbers: Vec<u8> = (1..=6).collect();
    let reserve = [(); 2].map(|()| numbers.remove(chance.index(numbers.len()))); // R1.3
    let left = (1..=6).flat_map(|number| {
        let copies = TILES_PER_NUMBER - u8::from(reserve.contains(&number));
        std::iter::repeat_n(number, copies.into())
    });
    let mut numbers = [0; TILES];
    numbers.iter_mut().zip(left).for_each(|(tile, number)| *tile = number);
    chance.shuffle(&mut numbers);
    Event::TableLaid { skeins, tiles: numbers, reserve }
}

/// The next seat places its piece. Once all are placed, the cards are dealt and the first turn begins.
pub(crate) fn after_settling(staged: &mut Stage, cx: &mut Context<'_>) {
    let state = staged.state();
    let seat = state.active;
    if state.weaver(seat).tile.is_none() {
        while !has_place(staged.state(), seat) {
            staged.emit(Event::PlaceRerolled { seat, number: cx.chance.die() }); // R2.4
        }
        return;
    }
    let seats = state.seats();
    let order = (0..seats).scan(seat, |next, _| {
        let seat = *next;
        *next = seat.next(seats);
        Some(seat)
    });
    for seat in order {
        let design = draw::design(staged.state(), cx.chance);
        let card = draw::action(staged.state(), cx.chance);
        if let (Some(design), Some(card)) = (design, card) {
            staged.emit(Event::HandDealt { seat, design, card, tokens: FIRST_TOKENS }); // R2.5
        }
    }
    staged.emit(Event::TurnBegan { seat }); // R3.1
}

fn has_place(state: &State, seat: Seat) -> bool {
    tiles().any(|tile| {
        state.number(tile) == Some(state.weaver(seat).rolled) && state.occupant(tile).is_none()
    })
}
