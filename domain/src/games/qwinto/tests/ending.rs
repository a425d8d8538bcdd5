//! R4: the end of the match.

use super::*;

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
