//! R5: buttons, and R6.1: the end.

use super::{
    super::{cards::PatternKind, refusal::Refusal, state::Phase},
    *,
};
use crate::{seat::Viewer, text::Lang};

#[test]
fn r5_1_every_seat_places_exactly_one_button_per_round() {
    let table = placing(1, &[]);
    let mut cards = ADJACENT.to_vec();
    cards.extend(INTERLACED);
    assert_eq!(table.legal(0), cards.into_iter().map(place).collect::<Vec<_>>());
    let table = table.play(0, &place(ADJACENT[1]), []);
    assert!(table.legal(0).is_empty());
    assert_eq!(table.when(0, &place(INTERLACED[0])), Err(Refusal::AlreadyPlaced));
    for mv in [pick(Red), weave(Red, Vertical, 0, &[])] {
        assert_eq!(table.when(1, &mv), Err(Refusal::ButtonsAreBeingPlaced));
    }
}

#[test]
fn r5_2_only_cards_on_the_table_take_buttons() {
    let table = placing(1, &[]);
    assert_eq!(table.when(0, &place(Card::AdjacentRedSky)), Err(Refusal::CardNotOnTable));
    assert_eq!(table.when(0, &place(Card::InterlacedSkyBlue)), Err(Refusal::CardNotOnTable));
}

#[test]
fn r5_2_two_round_buttons_are_for_adjacent_cards_and_two_square_ones_for_interlaced_cards() {
    let table = placing(3, &ADJACENT[..2]);
    assert_eq!(table.when(0, &place(ADJACENT[2])), Err(Refusal::NoRoundButtonLeft));
    assert_eq!(table.legal(0), INTERLACED.map(place));
    let table = placing(3, &INTERLACED[..2]);
    assert_eq!(table.when(0, &place(INTERLACED[2])), Err(Refusal::NoSquareButtonLeft));
    assert_eq!(table.legal(0), ADJACENT.map(place));
    let view = shown(&table, Viewer::Spectator);
    assert_eq!(view["places"][0]["round_buttons_left"], 2);
    assert_eq!(view["places"][0]["square_buttons_left"], 0);
}

#[test]
fn r5_3_a_seat_uses_a_card_once_but_seats_may_share_it() {
    let table = placing(2, &[ADJACENT[0]]);
    assert_eq!(table.when(0, &place(ADJACENT[0])), Err(Refusal::CardUsed));
    let both = placing(1, &[]).play(0, &place(ADJACENT[0]), []);
    let both = both.play(1, &place(ADJACENT[0]), [0; 10]); // ten cords for the next round
    assert_eq!(shown(&both, Viewer::Spectator)["cards"][0]["seats"], serde_json::json!([0, 1]));
}

#[test]
fn r5_4_buttons_are_placed_openly() {
    let table = placing(1, &[]);
    let events = table.when(0, &place(INTERLACED[2])).unwrap();
    assert_eq!(events, [Event::ButtonPlaced { seat: seat(0), card: INTERLACED[2] }]);
    let told = Trama::event_view(&events[0], Viewer::Seat(seat(1)));
    assert_eq!(
        Trama::tell(&told, Lang::Es),
        "El puesto 0 pone un botón cuadrado en «morado entrelazado con rojo»."
    );
    let table = table.and(events);
    let view = shown(&table, Viewer::Seat(seat(1)));
    assert_eq!(view["cards"][6]["seats"], serde_json::json!([0]));
    assert_eq!(
        view["places"][0]["buttons"],
        serde_json::json!([{ "round": 1, "button": "square", "card": "interlaced_purple_red", "points": 0 }])
    );
}

#[test]
fn r6_1_the_match_ends_after_the_fourth_round() {
    let table = placing(4, &[ADJACENT[0], ADJACENT[1], INTERLACED[0]]);
    let table = table.play(1, &place(ADJACENT[0]), []);
    assert!(!Trama::finished(&table.state), "seat 0 has not placed yet");
    let events = table.when(0, &place(INTERLACED[1])).unwrap();
    assert_eq!(events.last(), Some(&Event::GameEnded {}));
    let table = table.and(events);
    assert_eq!(table.state.phase, Phase::Over);
    assert!(Trama::finished(&table.state));
    assert!(Trama::to_act(&table.state).is_empty());
    for mv in [pick(Red), weave(Red, Vertical, 0, &[]), place(ADJACENT[3])] {
        assert_eq!(table.when(0, &mv), Err(Refusal::LoomsComplete));
    }
    assert_eq!(table.state.areas[0].cards(PatternKind::Adjacent).count(), 2);
}
