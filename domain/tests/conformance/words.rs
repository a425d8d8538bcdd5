//! Laws about words: labels of moves, events in words, and what is said about malformed moves.

use std::collections::BTreeSet;

use domain::{games, seat::Viewer, text::Lang};
use serde_json::{Map, Value, json, value::RawValue};

use crate::table::{Table, tables};

#[test]
fn labels_distinguish_moves_in_both_languages() {
    for game in games::all() {
        for (seats, options) in tables(game) {
            let mut table = Table::open(game, seats, options.as_deref(), 29);
            table.play_out(|table| {
                if !table.commits.len().is_multiple_of(5) {
                    return;
                }
                for seat in table.now.to_act().iter() {
                    for lang in Lang::ALL {
                        let moves = table.now.listing(seat, lang).moves;
                        let labels: BTreeSet<&str> =
                            moves.iter().map(|listed| listed.label.as_str()).collect();
                        assert!(!labels.contains(""));
                        assert_eq!(labels.len(), moves.len(), "{}: two alike", game.info().key);
                    }
                }
            });
            for event in &table.events {
                for viewer in Viewer::at_table(seats) {
                    let (en, es) = (event.tell(viewer, Lang::En), event.tell(viewer, Lang::Es));
                    assert!(!en.is_empty() && !es.is_empty());
                    assert_ne!(en, es, "{}: not translated", game.info().key);
                }
            }
        }
    }
}

/// What a label calls a box, a slot or a seat is what the move calls it: players compare both with the board.
#[test]
fn labels_number_things_as_moves_do() {
    let mut seen = BTreeSet::new();
    for game in games::all() {
        for (seats, options) in tables(game) {
            let mut table = Table::open(game, seats, options.as_deref(), 31);
            table.play_out(|table| {
                if !table.commits.len().is_multiple_of(7) {
                    return;
                }
                for seat in table.now.to_act().iter() {
                    for lang in Lang::ALL {
                        for listed in table.now.listing(seat, lang).moves.into_iter().take(40) {
                            let mv: Value = serde_json::from_str(listed.mv.get()).unwrap();
                            for field in ["slot", "box", "seat", "card"] {
                                let Some(number) = mv[field].as_u64() else { continue };
                                let words = listed.label.split(|c: char| !c.is_ascii_digit());
                                let mut words = words.filter(|word| !word.is_empty());
                                let named = words.any(|word| word == number.to_string());
                                assert!(named, "{field} {number}: {}", listed.label);
                                seen.insert((game.info().key, field));
                            }
                        }
                    }
                }
            });
        }
    }
    for expected in [("tapestry", "slot"), ("trama", "slot"), ("qwinto", "box")] {
        assert!(seen.contains(&expected), "{expected:?} was never named");
    }
}

/// Every way in which a move can be malformed is explained in both languages, without the names of types.
#[test]
fn malformed_moves_are_explained_in_words() {
    const TYPES: [&str; 17] = [
        "u8",
        "u16",
        "u32",
        "u64",
        "i64",
        "usize",
        "f64",
        "struct",
        "enum",
        "variant",
        "tuple",
        "unit",
        "newtype",
        "sequence",
        "integer",
        "identifier",
        "Option",
    ];
    let wrong = [
        json!(null),
        json!(true),
        json!(-1),
        json!(300),
        json!(1.5),
        json!("x"),
        json!([]),
        json!(["x"]),
        json!([300]),
        json!([1, 1]),
        json!({}),
        json!({ "type": "x" }),
    ];
    let mut explained = 0;
    for game in games::all() {
        let (seats, options) = tables(game).into_iter().next_back().unwrap();
        let mut table = Table::open(game, seats, options.as_deref(), 37);
        table.play_out(|table| {
            if !table.commits.len().is_multiple_of(5) {
                return;
            }
            let refused = |json: &str| {
                let raw = RawValue::from_string(json.to_owned()).unwrap();
                table.state().read_move(&raw).err()
            };
            for seat in table.now.to_act().iter() {
                for mv in table.state().legal_moves(seat).step_by(17).take(4) {
                    let mv: Map<String, Value> = serde_json::from_str(mv.get()).unwrap();
                    let mut bad: Vec<Map<String, Value>> = Vec::new();
                    for key in mv.keys() {
                        let mut without = mv.clone();
                        without.remove(key);
                        bad.push(without);
                        for value in &wrong {
                            let mut other = mv.clone();
                            other.insert(key.clone(), value.clone());
                            bad.push(other);
                        }
                    }
                    let mut more = mv.clone();
                    more.insert("surplus".to_owned(), json!(1));
                    bad.push(more);
                    for mv in bad {
                        let json = Value::Object(mv).to_string();
                        let Some(shape) = refused(&json) else { continue };
                        explained += 1;
                        let [en, es] = Lang::ALL.map(|lang| shape.misfit.tell(lang));
                        assert_ne!(en, es, "{json}");
                        for text in [en, es] {
                            let mut words = text.split(|c: char| !c.is_alphanumeric());
                            assert!(!words.any(|word| TYPES.contains(&word)), "{json}: {text}");
                            assert!(!text.contains("not valid"), "{json} is not explained: {text}");
                        }
                    }
                }
            }
        });
    }
    assert!(explained > 1_000, "{explained}");
}

#[test]
fn a_number_that_no_board_has_is_answered_with_the_bounds_of_the_field() {
    for (game, mv, text) in [
        (
            "qwinto",
            r#"{"type":"write","row":"orange","box":300}"#,
            "0 to 8, but got the number 300.",
        ),
        ("qwinto", r#"{"type":"write","row":"orange","box":-1}"#, "0 to 8, but got the number -1."),
        ("tapestry", r#"{"type":"draw","slot":"a"}"#, "0 to 7, but got the string `a`."),
        (
            "trama",
            r#"{"type":"weave","colour":"red","axis":"vertical","slot":999,"over":[]}"#,
            "0 to 7, but got the number 999.",
        ),
        ("ettana", r#"{"type":"settle","tile":999}"#, "0 to 15, but got the number 999."),
    ] {
        let game = games::find(game).unwrap();
        let table = Table::open(game, game.info().min_seats, None, 41);
        let raw = RawValue::from_string(mv.to_owned()).unwrap();
        let shape = table.state().read_move(&raw).expect_err("malformed");
        assert_eq!(shape.to_string(), format!("Expected a whole number from {text}"));
    }
}
