//! R1 and R2: the sheet, and rolling the dice.

use super::*;

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
            assert_eq!(super::super::components::column_of(row, cell), column);
            let pentagon = super::super::components::BONUS_COLUMNS
                .iter()
                .any(|bonus| bonus.column == column && bonus.pentagon == row);
            assert_eq!(pentagon, mark == "P", "{row:?} column {column}");
        }
    }
}

#[test]
fn r2_1_the_first_seat_is_drawn_and_turns_go_round() {
    let state = opened::<Qwinto>(3);
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
fn r2_3_and_r2_4_the_second_roll_of_the_same_dice_is_final() {
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
