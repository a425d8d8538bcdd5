//! R4: the turn.

use super::*;
use crate::{games::tapestry::refusal::Refusal, seat::SeatSet};

#[test]
fn r4_1_any_slot_of_the_draw_area_may_be_drawn_from() {
    let table = any_table(Mode::Time);
    assert_eq!(table.legal(0), (0..8).map(draw).collect::<Vec<_>>());
    assert_eq!(Tapestry::to_act(&table.state), SeatSet::one(Seat::FIRST));
    let card = table.state.area[5].unwrap();
    assert_eq!(table.when(0, &draw(5)), Ok(vec![Event::CardDrawn { slot: 5, card }]));
    assert_eq!(table.when(0, &draw(8)), Err(Refusal::NoSuchSlot));
    assert_eq!(table.when(0, &draw(255)), Err(Refusal::NoSuchSlot));
}

#[test]
fn r4_1_without_a_card_in_hand_one_has_to_be_drawn() {
    let table = any_table(Mode::Time);
    for mv in [place(4, 5), exchange(4, 4), DISCARD] {
        assert_eq!(table.when(0, &mv), Err(Refusal::DrawFirst));
    }
}

#[test]
fn r4_1_an_empty_slot_cannot_be_drawn_from() {
    let mut table = any_table(Mode::Time);
    table.state.area[3] = None;
    assert_eq!(table.when(0, &draw(3)), Err(Refusal::SlotEmpty));
    assert!(!table.legal(0).contains(&draw(3)));
}

#[test]
fn r4_2_no_second_card_is_drawn_while_one_is_in_hand() {
    let table = any_table(Mode::Time).play(0, &draw(0), []);
    assert_eq!(table.when(0, &draw(0)), Err(Refusal::HandFull));
    assert_eq!(table.when(0, &draw(1)), Err(Refusal::HandFull));
    assert!(table.legal(0).iter().all(|mv| !matches!(mv, Move::Draw { .. })));
}

#[test]
fn r4_2_the_card_in_hand_is_placed_exchanged_or_discarded() {
    let table = holding("red asteroid", &[(4, 4, "orange comet"), (5, 5, "green comet")]);
    let legal = table.legal(0);
    let around = [place(3, 4), place(4, 3)];
    assert!(around.iter().all(|mv| legal.contains(mv)));
    assert_eq!(legal[legal.len() - 3..], [exchange(4, 4), exchange(5, 5), DISCARD]);
    assert_eq!(legal.len(), 5); // the cells between the two touch green
}

#[test]
fn r4_3_discarding_is_always_allowed() {
    let fits = holding("red asteroid", &[(4, 4, "red comet")]);
    let stuck = holding("red asteroid", &[(4, 4, "green asteroid")]);
    assert!(fits.legal(0).len() > 1);
    assert_eq!(stuck.legal(0), [DISCARD]);
    for table in [fits, stuck] {
        let table = table.play(0, &DISCARD, []);
        assert_eq!(table.state.discards, [card("red asteroid")]);
        assert_eq!(table.state.phase, Phase::Drawing);
    }
}

#[test]
fn r4_4_the_top_card_of_the_deck_fills_the_slot_once_the_hand_is_empty() {
    let start = ["red comet", "red comet", "red comet", "red comet"].map(card);
    let table = table(Mode::Time, &stacked(&start)).play(0, &draw(2), []);
    let [.., second, top] = table.state.deck.as_slice() else { panic!("a full deck") };
    let (second, top) = (*second, *top);
    assert_eq!(table.state.area[2], None);

    let table = table.play(0, &exchange(4, 4), []); // red asteroid for red comet
    assert_eq!((table.state.area[2], table.state.deck.len()), (None, 60), "the hand is not empty");

    let events = table.when(0, &DISCARD).unwrap();
    let refilled = Event::SlotRefilled { slot: 2, colour: top.colour, next: Some(second.colour) };
    assert_eq!(events, [Event::CardDiscarded { card: card("red comet") }, refilled]);
    let table = table.and(events);
    assert_eq!((table.state.area[2], table.state.deck.len()), (Some(top), 59));
}

#[test]
fn r4_4_placing_refills_as_well() {
    let table = holding("red asteroid", &[(4, 4, "red comet")]).play(0, &place(4, 5), []);
    assert!(table.state.area[0].is_some());
    assert_eq!(table.state.deck.len(), 59);
}

#[test]
fn r4_4_when_the_deck_is_used_up_slots_stay_empty() {
    let mut table = any_table(Mode::Time);
    table.state.deck.truncate(1);
    let events = table.play_from(0);
    let Some(Event::SlotRefilled { next: None, .. }) = events.last() else {
        panic!("the last card of the deck: {events:?}");
    };
    table = table.and(events);
    let events = table.play_from(1);
    assert!(matches!(events.as_slice(), [Event::CardDrawn { .. }, Event::CardDiscarded { .. }]));
    table = table.and(events);
    assert_eq!(table.state.area[1], None);
    assert_eq!(table.legal(0).len(), 7);
}

impl Given<Tapestry> {
    /// What drawing from a slot and discarding leads to.
    fn play_from(&self, slot: u8) -> Vec<Event> {
        let drawn = self.when(0, &draw(slot)).unwrap();
        let held = Given::<Tapestry> { state: self.state.clone() }.and(drawn.clone());
        drawn.into_iter().chain(held.when(0, &DISCARD).unwrap()).collect()
    }
}
