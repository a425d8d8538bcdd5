//! R5: what a sheet is worth.

use super::*;
use crate::games::qwinto::score;

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
    let mut state = opened::<Qwinto>(3);
    state.sheets[0].failures = 1;
    let seats = Qwinto::standings(&state).seats;
    assert_eq!(
        seats.iter().map(|seat| (seat.place, seat.won)).collect::<Vec<_>>(),
        [(3, false), (1, true), (1, true)]
    );
}
