//! R1 to R3: the cards, the field and the setup.

use serde_json::{Value, json};

use super::*;
use crate::{
    chance::{Keyed, Seed},
    games::tapestry::{
        components::{Body, Body::*, CARDS, Colour, Colour::*, SPARE},
        refusal::Refusal,
    },
    seat::Viewer,
};

fn shown(table: &Given<Tapestry>, viewer: Viewer) -> Value {
    serde_json::to_value(Tapestry::view(&table.state, viewer)).unwrap()
}

/// All viewers except the archive.
const AT_TABLE: [Viewer; 2] = [Viewer::Seat(Seat::FIRST), Viewer::Spectator];

#[test]
fn r1_1_there_are_72_cards_each_combination_four_times() {
    let cards: Vec<Card> = Card::all().collect();
    assert_eq!((cards.len(), CARDS, SPARE), (72, 72, 8));
    for colour in Colour::ALL {
        for body in Body::ALL {
            let copies = cards.iter().filter(|card| **card == Card { colour, body }).count();
            assert_eq!(copies, 4, "{colour:?} {body:?}");
        }
    }
}

#[test]
fn r1_2_backs_show_the_colour_and_nothing_else() {
    let table = any_table(Mode::Time);
    for viewer in AT_TABLE {
        let view = shown(&table, viewer);
        // Unshuffled: four start cards, then the other red ones.
        assert_eq!(view["draw_area"], json!(vec![json!({ "colour": "red" }); 8]));
        assert_eq!(view["deck"], json!({ "count": 60, "top": "orange" }));
    }
    let everything = shown(&table, Viewer::Archive);
    assert_eq!(everything["draw_area"][7], json!({ "colour": "red", "body": "nebula" }));
    assert_eq!(everything["deck"]["cards"].as_array().unwrap().len(), 60);
    assert_eq!(everything["deck"]["cards"][0], json!({ "colour": "orange", "body": "asteroid" }));
}

#[test]
fn r1_2_the_deal_hides_face_down_cards() {
    let dealt = decide::dealt(&stacked(&[]));
    for viewer in AT_TABLE {
        let told = serde_json::to_value(Tapestry::event_view(&dealt, viewer)).unwrap();
        assert_eq!(told["draw_area"], json!(vec![json!({ "colour": "red" }); 8]));
        assert_eq!(told["top"], "orange");
        assert!(told.get("deck").is_none());
    }
    let told = serde_json::to_value(Tapestry::event_view(&dealt, Viewer::Archive)).unwrap();
    assert_eq!(told["deck"].as_array().unwrap().len(), 60);
}

#[test]
fn r1_2_the_card_in_hand_the_tapestry_and_the_discards_are_public() {
    let table =
        any_table(Mode::Time).play(0, &draw(0), []).play(0, &DISCARD, []).play(0, &draw(7), []);
    for viewer in AT_TABLE {
        let view = shown(&table, viewer);
        assert_eq!(view["phase"]["card"], json!({ "colour": "red", "body": "nebula" }));
        assert_eq!(view["discards"]["cards"], json!([{ "colour": "red", "body": "comet" }]));
        let laid =
            json!({ "row": 4, "column": 4, "card": { "colour": "red", "body": "asteroid" } });
        assert_eq!(view["tapestry"]["cards"][0], laid);
    }
}

#[test]
fn r1_3_the_rainbow_is_a_line_and_not_a_ring() {
    let goes = |colour: Colour| -> Vec<Colour> {
        Colour::ALL.into_iter().filter(|other| colour.goes_with(*other)).collect()
    };
    assert_eq!(goes(Red), [Red, Orange]);
    assert_eq!(goes(Orange), [Red, Orange, Yellow]);
    assert_eq!(goes(Yellow), [Orange, Yellow, Green]);
    assert_eq!(goes(Green), [Yellow, Green, Blue]);
    assert_eq!(goes(Blue), [Green, Blue, Purple]);
    assert_eq!(goes(Purple), [Blue, Purple]);
}

#[test]
fn r1_4_asteroid_beats_comet_beats_nebula_beats_asteroid() {
    let pairs: Vec<(Body, Body)> = Body::ALL
        .into_iter()
        .flat_map(|one| Body::ALL.map(|other| (one, other)))
        .filter(|(one, other)| one.beats(*other))
        .collect();
    assert_eq!(pairs, [(Asteroid, Comet), (Comet, Nebula), (Nebula, Asteroid)]);
}

#[test]
fn r2_3_texts_name_cells_by_letter_and_number() {
    assert_eq!(Cell { row: 4, column: 6 }.to_string(), "G5");
    assert_eq!(Cell { row: 11, column: 11 }.to_string(), "L12");
}

#[test]
fn r2_3_the_field_holds_exactly_the_cells_that_can_be_reached() {
    assert_eq!(Cell::all().count(), 144);
    let start = any_table(Mode::Time).play(0, &draw(0), []);
    for cell in Cell::all() {
        let refused = start.when(0, &place(cell.row, cell.column));
        assert_ne!(refused, Err(Refusal::TooWide), "{cell}");
    }
    for (row, column) in [(12, 4), (4, 12), (255, 255), (112, 4)] {
        assert_eq!(start.when(0, &place(row, column)), Err(Refusal::OutsideField));
        assert_eq!(start.when(0, &exchange(row, column)), Err(Refusal::OutsideField));
    }
}

#[test]
fn r3_1_four_cards_open_the_tapestry_on_a_diagonal() {
    let start = ["red nebula", "purple nebula", "green nebula", "red nebula"].map(card);
    let table = table(Mode::Time, &stacked(&start));
    let laid: Vec<(String, Card)> =
        table.state.tapestry.cards().map(|(cell, card)| (cell.to_string(), card)).collect();
    let cells = ["E5", "F6", "G7", "H8"].map(str::to_owned);
    assert_eq!(laid, cells.into_iter().zip(start).collect::<Vec<_>>());
    let view = shown(&table, Viewer::Spectator);
    for (field, value) in [
        ("top", 4),
        ("bottom", 7),
        ("left", 4),
        ("right", 7),
        ("rows_left", 4),
        ("columns_left", 4),
    ] {
        assert_eq!(view["tapestry"][field], value, "{field}");
    }
}

#[test]
fn r3_1_and_r3_2_the_shuffled_deck_is_dealt_whole() {
    let deal = |seed: u8| {
        let key = Seed::from([seed; 32]).match_key(uuid::Uuid::nil(), &[]);
        let mut chance = Keyed::new(key, 0);
        let mut cx = Context { chance: &mut chance, at: Timestamp::default() };
        Tapestry::setup(&opened::<Tapestry>(1), &mut cx)
    };
    assert_eq!(deal(1), deal(1));
    assert_ne!(deal(1), deal(2));
    let dealt = deal(1);
    let [Event::CardsDealt { start, area, deck }] = dealt.as_slice() else {
        panic!("one deal and nothing else: {dealt:?}");
    };
    assert_eq!((start.len(), area.len(), deck.len()), (4, 8, 60));
    let cards: Vec<Card> = start.iter().chain(area).chain(deck).copied().collect();
    assert_eq!(stacked(&cards), cards, "no card is missing or doubled");
}

#[test]
fn options_choose_the_mode() {
    let read = |json: &str| crate::shape::parse::<Options>(json).map(|options| options.mode);
    assert_eq!(read("{}"), Ok(Mode::Time));
    assert_eq!(read(r#"{"mode":"time"}"#), Ok(Mode::Time));
    assert_eq!(read(r#"{"mode":"discards"}"#), Ok(Mode::Discards));
    assert!(read(r#"{"mode":"speed"}"#).is_err());
    assert!(read(r#"{"speed":1}"#).is_err());
}
