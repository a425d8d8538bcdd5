//! How lucky a seat was with the dice.

use super::*;

#[test]
fn luck_with_sums_is_what_was_rolled_against_three_and_a_half_per_die() {
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
