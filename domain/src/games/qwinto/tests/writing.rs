//! R3: writing the sum.

use super::*;

/// The rulebook: Cotepi and Vero write the nine in yellow, in different boxes, Rodrigo in purple.
#[test]
fn r3_1_every_seat_answers_once_wherever_it_likes() {
    let table = announced(3, &[(Purple, 4), (Yellow, 5)]).play(0, &write(Yellow, 3), []).play(
        1,
        &write(Yellow, 5),
        [],
    );
    assert_eq!(table.when(0, &PASS), Err(Refusal::AlreadyAnswered));
    assert_eq!(Qwinto::to_act(&table.state), SeatSet::one(seat(2)));
    let table = table.play(2, &write(Purple, 4), []);
    assert_eq!(table.state.sheets[0].row(Yellow)[3], Some(9));
    assert_eq!(table.state.sheets[1].row(Yellow)[5], Some(9));
    assert_eq!(table.state.sheets[2].row(Purple)[4], Some(9));
}

#[test]
fn r3_1_a_box_holds_one_number() {
    let sheet = sheet([[0, 3, 0, 0, 0, 0, 0, 0, 0], EMPTY, EMPTY], 0);
    let table = with_sheet(announced(2, &[(Orange, 5)]), 1, sheet);
    assert_eq!(table.when(1, &write(Orange, 1)), Err(Refusal::BoxTaken));
}

/// The rulebook: between a six and a seven nothing can be written; left of a two only the one.
#[test]
fn r3_3_numbers_ascend_from_left_to_right() {
    let sheet = sheet([EMPTY, [0, 2, 0, 0, 0, 0, 0, 0, 0], [0, 0, 6, 0, 7, 0, 0, 0, 0]], 0);
    for face in 1..=6 {
        let table = with_sheet(announced(2, &[(Purple, face)]), 1, sheet.clone());
        assert_eq!(table.when(1, &write(Purple, 3)), Err(Refusal::NotAscending));
        let table = with_sheet(announced(2, &[(Yellow, face)]), 1, sheet.clone());
        let left_of_two = table.when(1, &write(Yellow, 0));
        assert_eq!(left_of_two.is_ok(), face == 1, "{face} left of a two");
    }
    let table = with_sheet(announced(2, &[(Purple, 6), (Orange, 1)]), 1, sheet);
    assert_eq!(table.when(1, &write(Purple, 5)), Err(Refusal::NotAscending)); // no seven twice
    assert_eq!(table.when(1, &write(Purple, 3)), Err(Refusal::NotAscending));
    assert!(table.when(1, &write(Orange, 4)).is_ok());
}

#[test]
fn r3_4_no_number_appears_twice_in_a_column() {
    // Column 3: orange box 1, yellow box 2, purple box 3. Column 4 has two boxes: orange 2, yellow 3.
    let sheet = sheet([EMPTY, [0, 0, 5, 6, 0, 0, 0, 0, 0], EMPTY], 0);
    let table = with_sheet(announced(2, &[(Orange, 5)]), 1, sheet.clone());
    assert_eq!(table.when(1, &write(Orange, 1)), Err(Refusal::TwiceInColumn));
    assert!(table.when(1, &write(Orange, 0)).is_ok());
    let table = with_sheet(announced(2, &[(Orange, 6)]), 1, sheet);
    assert_eq!(table.when(1, &write(Orange, 2)), Err(Refusal::TwiceInColumn));
    assert!(table.when(1, &write(Orange, 1)).is_ok()); // columns need no order
}

#[test]
fn r3_5_answers_are_hidden_until_all_are_in() {
    let table = announced(2, &[(Orange, 5)]).play(0, &write(Orange, 4), []);
    let shown = |viewer| serde_json::to_value(Qwinto::view(&table.state, viewer)).unwrap();
    let mine = shown(Viewer::Seat(seat(0)));
    assert_eq!(mine["phase"]["my_answer"]["box"], 4);
    assert_eq!(mine["sheets"][0]["orange"][4], serde_json::Value::Null);
    for viewer in [Viewer::Seat(seat(1)), Viewer::Spectator] {
        assert!(shown(viewer)["phase"].get("my_answer").is_none());
        assert_eq!(shown(viewer)["phase"]["answered"], serde_json::json!([0]));
    }
    let event = Event::AnswerGiven { seat: seat(0), answer: Answer::Pass {} };
    let told = serde_json::to_value(Qwinto::event_view(&event, Viewer::Seat(seat(1)))).unwrap();
    assert_eq!(told, serde_json::json!({ "type": "answer_given", "seat": 0 }));

    let events = table.when(1, &PASS).unwrap();
    let answers = vec![Answer::Write { row: Orange, cell: 4 }, Answer::Pass {}];
    assert!(events.contains(&Event::AnswersRevealed { answers }));
}

#[test]
fn r3_6_only_the_active_seat_marks_a_failure() {
    let table = announced(2, &[(Orange, 5)]).play(0, &PASS, []).play(1, &PASS, []);
    assert_eq!(table.state.sheets[0].failures, 1);
    assert_eq!(table.state.sheets[1].failures, 0);
}
