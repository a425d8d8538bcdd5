//! Every rule of RULES.md, and the rulebook's worked examples.

use super::{
    Qwinto,
    components::{Colour, Colour::*, Dice},
    events::{Die, EndReason, Event},
    moves::Move,
    refusal::Refusal,
    score,
    state::{Answer, Phase, Sheet, State},
    view,
};
use crate::{
    game::Game,
    seat::{Seat, SeatSet, Viewer},
    testing::{Given, given},
};

const PASS: Move = Move::Pass {};

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

fn dice(colours: &[Colour]) -> Dice {
    colours.iter().copied().collect()
}

fn write(row: Colour, cell: u8) -> Move {
    Move::Write { row, cell }
}

/// A table of `seats` where seat 0 begins.
fn table(seats: u8) -> Given<Qwinto> {
    given(seats, [Event::FirstSeatDrawn { seat: seat(0) }])
}

/// Seat 0 has rolled these faces.
fn rolled(seats: u8, faces: &[(Colour, u8)]) -> Given<Qwinto> {
    let dice = faces.iter().map(|(colour, face)| Die { colour: *colour, face: *face }).collect();
    table(seats).and([Event::DiceRolled { dice }])
}

/// Seat 0 has rolled and kept these faces.
fn announced(seats: u8, faces: &[(Colour, u8)]) -> Given<Qwinto> {
    rolled(seats, faces).play(0, &Move::Keep {}, [])
}

fn with_sheet(mut table: Given<Qwinto>, number: usize, sheet: Sheet) -> Given<Qwinto> {
    table.state.sheets[number] = sheet;
    table
}

/// A sheet from its rows, 0 for an empty box.
fn sheet(rows: [[u8; 9]; 3], failures: u8) -> Sheet {
    let rows = rows.map(|row| row.map(|number| (number > 0).then_some(number)));
    Sheet { rows, failures, ..Sheet::default() }
}

const EMPTY: [u8; 9] = [0; 9];
const FULL: [u8; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 12];

#[test]
fn r1_1_a_row_has_nine_boxes() {
    let table = announced(2, &[(Orange, 5)]);
    assert_eq!(table.legal(1).len(), 9 + 1);
    assert_eq!(table.when(1, &write(Orange, 9)), Err(Refusal::NoSuchBox));
}

#[test]
fn r1_2_and_r1_3_boxes_of_different_rows_share_columns_as_printed() {
    let picture = [
        ". . o P o x o P o o o o", // orange
        ". o o o o o x o P o o .", // yellow
        "o o P o x o o o o P . .", // purple
    ];
    for (row, line) in Colour::ALL.into_iter().zip(picture) {
        let printed: Vec<(u8, &str)> =
            (0..).zip(line.split(' ')).filter(|(_, mark)| "oP".contains(mark)).collect();
        assert_eq!(printed.len(), 9);
        for (cell, (column, mark)) in printed.into_iter().enumerate() {
            assert_eq!(super::components::column_of(row, cell), column);
            let pentagon = super::components::BONUS_COLUMNS
                .iter()
                .any(|bonus| bonus.column == column && bonus.pentagon == row);
            assert_eq!(pentagon, mark == "P", "{row:?} column {column}");
        }
    }
}

#[test]
fn r2_1_the_first_seat_is_drawn_and_turns_go_round() {
    let state = State::new(3);
    let mut chance = crate::chance::Scripted::new([2]);
    let mut cx =
        crate::game::Context { chance: &mut chance, at: crate::time::Timestamp::default() };
    assert_eq!(Qwinto::setup(&state, &mut cx), [Event::FirstSeatDrawn { seat: seat(2) }]);

    let table = given::<Qwinto>(3, [Event::FirstSeatDrawn { seat: seat(2) }])
        .play(2, &Move::Roll { dice: dice(&[Orange]) }, [0])
        .play(2, &Move::Keep {}, [])
        .play(0, &PASS, [])
        .play(1, &PASS, [])
        .play(2, &PASS, []);
    assert_eq!(table.state.active, seat(0));
    assert_eq!(Qwinto::to_act(&table.state), SeatSet::one(seat(0)));
}

#[test]
fn r2_1_only_the_active_seat_rolls() {
    assert_eq!(table(2).when(1, &Move::Roll { dice: dice(&[Orange]) }), Err(Refusal::NotYourTurn));
    assert_eq!(rolled(2, &[(Orange, 3)]).when(1, &Move::Keep {}), Err(Refusal::NotYourTurn));
}

#[test]
fn r2_2_any_one_two_or_three_dice_may_be_rolled() {
    let table = table(2);
    assert_eq!(table.legal(0).len(), 7);
    assert_eq!(table.when(0, &Move::Roll { dice: dice(&[]) }), Err(Refusal::NoDice));
    assert_eq!(table.when(0, &Move::Keep {}), Err(Refusal::RollFirst));
    assert_eq!(table.when(0, &PASS), Err(Refusal::RollFirst));
}

/// The rulebook: two and four with the purple and yellow dice, rolled again to four and five: "nine".
#[test]
fn r2_3_and_r2_4_the_second_roll_of_the_same_dice_binds() {
    let table = table(3).play(0, &Move::Roll { dice: dice(&[Purple, Yellow]) }, [1, 3]).play(
        0,
        &Move::Reroll {},
        [3, 4],
    );
    assert_eq!(table.state.sum(), Some(9));
    assert!(matches!(table.state.phase, Phase::Writing { sum: 9, .. }));
    // The nine can only be written in the yellow or the purple row (R3.2).
    for seat in 0..3 {
        let rows: Vec<Colour> = table
            .legal(seat)
            .into_iter()
            .filter_map(|mv| if let Move::Write { row, .. } = mv { Some(row) } else { None })
            .collect();
        assert_eq!(rows.len(), 18);
        assert!(!rows.contains(&Orange));
    }
    assert_eq!(table.when(1, &write(Orange, 0)), Err(Refusal::RowNotRolled));
    assert_eq!(table.when(0, &Move::Reroll {}), Err(Refusal::WriteOrPass));
}

#[test]
fn r2_3_after_the_first_roll_it_is_kept_or_rolled_again() {
    let table = rolled(2, &[(Orange, 3)]);
    assert_eq!(table.legal(0), [Move::Keep {}, Move::Reroll {}]);
    assert_eq!(table.when(0, &write(Orange, 0)), Err(Refusal::KeepOrReroll));
    let again = Move::Roll { dice: dice(&[Orange]) };
    assert_eq!(table.when(0, &again), Err(Refusal::KeepOrReroll));
}

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
fn r3_4_in_a_column_no_number_stands_twice() {
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
    let shown = |viewer| serde_json::to_value(view::view(&table.state, viewer)).unwrap();
    let mine = shown(Viewer::Seat(seat(0)));
    assert_eq!(mine["phase"]["my_answer"]["box"], 4);
    assert_eq!(mine["sheets"][0]["orange"][4], serde_json::Value::Null);
    for viewer in [Viewer::Seat(seat(1)), Viewer::Spectator] {
        assert!(shown(viewer)["phase"].get("my_answer").is_none());
        assert_eq!(shown(viewer)["phase"]["answered"], serde_json::json!([0]));
    }
    let event = Event::AnswerGiven { seat: seat(0), answer: Answer::Pass {} };
    let told = serde_json::to_value(view::event_view(&event, Viewer::Seat(seat(1)))).unwrap();
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

#[test]
fn r4_1_two_complete_rows_end_the_match_after_all_answers() {
    let almost = sheet([FULL, [1, 2, 3, 4, 5, 6, 7, 8, 0], EMPTY], 0);
    let table = with_sheet(announced(2, &[(Yellow, 6), (Orange, 3)]), 0, almost).play(
        0,
        &write(Yellow, 8),
        [],
    );
    assert!(!Qwinto::finished(&table.state), "the other seat still writes");
    let table = table.play(1, &write(Yellow, 0), []);
    assert_eq!(table.state.phase, Phase::Over { reason: EndReason::TwoRows });
    assert_eq!(table.state.sheets[1].row(Yellow)[0], Some(9));
}

#[test]
fn r4_1_one_complete_row_does_not_end_the_match() {
    let almost = sheet([[1, 2, 3, 4, 5, 6, 7, 8, 0], EMPTY, EMPTY], 0);
    let table = with_sheet(announced(2, &[(Yellow, 6), (Orange, 3)]), 0, almost)
        .play(0, &write(Orange, 8), [])
        .play(1, &PASS, []);
    assert!(!Qwinto::finished(&table.state));
}

#[test]
fn r4_2_the_fourth_failure_ends_the_match() {
    let failed = sheet([EMPTY; 3], 3);
    let table = with_sheet(announced(2, &[(Orange, 1)]), 0, failed).play(0, &PASS, []).play(
        1,
        &write(Orange, 0),
        [],
    );
    assert_eq!(table.state.phase, Phase::Over { reason: EndReason::FourFailures });
    assert_eq!(table.state.sheets[1].row(Orange)[0], Some(1));
}

#[test]
fn r5_1_a_complete_row_counts_its_rightmost_number_instead_of_its_boxes() {
    assert_eq!(score::total(&sheet([FULL, EMPTY, EMPTY], 0)), 12);
}

#[test]
fn r5_2_any_other_row_counts_its_numbers() {
    assert_eq!(score::total(&sheet([EMPTY, [0, 2, 0, 9, 0, 0, 0, 0, 17], EMPTY], 0)), 3);
}

#[test]
fn r5_3_a_full_column_pays_its_pentagon() {
    // Column 2: orange box 0, yellow box 1, purple box 2, the pentagon.
    let two_of_three = sheet([[4, 0, 0, 0, 0, 0, 0, 0, 0], [0, 3, 0, 0, 0, 0, 0, 0, 0], EMPTY], 0);
    assert_eq!(score::total(&two_of_three), 2);
    let mut full = two_of_three;
    full.rows[Purple.index()][2] = Some(7);
    assert_eq!(score::total(&full), 3 + 7);
}

#[test]
fn r5_4_failures_cost_five_each_and_totals_may_be_negative() {
    assert_eq!(score::total(&sheet([EMPTY; 3], 4)), -20);
}

/// The rulebook: rows worth 26, bonuses 5, 10 and 12, two failures: 43.
#[test]
fn r5_the_rulebook_s_example_is_worth_43() {
    let example = sheet(
        [
            // complete: worth its rightmost number; columns 3 and 7 hold the pentagons 5 and 10
            [2, 5, 6, 8, 10, 11, 13, 14, 17],
            [0, 1, 3, 4, 0, 9, 12, 0, 0],
            [0, 1, 0, 7, 0, 0, 11, 14, 0],
        ],
        2,
    );
    let points = |id: &str| {
        score::breakdown(&example).iter().find(|line| line.id == id).map(|line| line.points)
    };
    let rows = ["row_orange", "row_yellow", "row_purple"];
    assert_eq!(rows.iter().filter_map(|row| points(row)).sum::<i64>(), 17 + 5 + 4);
    assert_eq!(points("bonus_column_3"), Some(5));
    assert_eq!(points("bonus_column_7"), Some(10));
    assert_eq!(points("bonus_column_8"), Some(12));
    assert_eq!(points("failures"), Some(-10));
    assert_eq!(score::total(&example), 43);
}

#[test]
fn r5_5_equal_totals_share_the_win() {
    let mut state = State::new(3);
    state.sheets[0].failures = 1;
    let seats = Qwinto::standings(&state).seats;
    assert_eq!(
        seats.iter().map(|seat| (seat.place, seat.won)).collect::<Vec<_>>(),
        [(3, false), (1, true), (1, true)]
    );
}

#[test]
fn luck_with_sums_is_what_was_rolled_against_three_and_a_half_a_die() {
    let dice = vec![Die { colour: Purple, face: 4 }, Die { colour: Yellow, face: 5 }];
    let first = Event::DiceRolled { dice: dice.clone() };
    assert_eq!(table(2).luck(&first, 0, "sums"), (1, 9.0, 7.0, 5.833_333));
    assert_eq!(table(2).luck(&first, 1, "sums"), (0, 0.0, 0.0, 0.0));
    let second = Event::DiceRerolled { dice };
    let rolled = rolled(2, &[(Purple, 2), (Yellow, 4)]);
    assert_eq!(rolled.luck(&second, 0, "sums"), (1, 9.0, 7.0, 5.833_333));
    assert_eq!(table(2).luck(&Event::TurnPassed { seat: seat(1) }, 0, "sums"), (0, 0.0, 0.0, 0.0));
}

/// After a 3 in the first box, 4, 5 and 6 could go into any of the other eight, and 1, 2 and 3 nowhere.
#[test]
fn luck_with_open_boxes_is_where_the_sum_could_be_written_by_every_seat() {
    let begun = sheet([[3, 0, 0, 0, 0, 0, 0, 0, 0], EMPTY, EMPTY], 0);
    let table = with_sheet(table(2), 1, begun);
    let roll = Event::DiceRolled { dice: vec![Die { colour: Orange, face: 5 }] };
    assert_eq!(table.luck(&roll, 1, "open_boxes"), (1, 8.0, 4.0, 16.0));
    assert_eq!(table.luck(&roll, 0, "open_boxes"), (1, 9.0, 9.0, 0.0));
}
