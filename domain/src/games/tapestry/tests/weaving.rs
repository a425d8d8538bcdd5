//! R2.2, R5 and R6: where a card may go.

use super::*;
use crate::games::tapestry::refusal::Refusal;

/// Cards that match, in a row or a column.
const CHAIN: [&str; 8] = [
    "red asteroid",
    "red comet",
    "red nebula",
    "red asteroid",
    "red comet",
    "red nebula",
    "red asteroid",
    "red comet",
];

#[test]
fn r2_2_the_square_floats_but_never_spans_more_than_eight() {
    // The start spans 4 to 7. From `first` to 7 and one further on:
    for (first, expected) in [(2, Ok(())), (1, Ok(())), (0, Err(Refusal::TooWide))] {
        let chain: Vec<(u8, &str)> = (first..=7).zip(CHAIN).collect();
        let last = chain.last().unwrap().1;
        let hand = if last.ends_with("comet") { "red nebula" } else { "red comet" };

        let row: Vec<_> = chain.iter().map(|(column, name)| (7, *column, *name)).collect();
        let placed = holding(hand, &row).when(0, &place(7, 8)).map(|_| ());
        assert_eq!(placed, expected, "columns {first} to 8");

        let column: Vec<_> = chain.iter().map(|(row, name)| (*row, 7, *name)).collect();
        let placed = holding(hand, &column).when(0, &place(8, 7)).map(|_| ());
        assert_eq!(placed, expected, "rows {first} to 8");
    }
}

#[test]
fn r2_2_growing_to_one_side_takes_the_room_from_the_other() {
    let table = holding("red comet", &[(7, 7, "red asteroid")]).play(0, &place(7, 8), []);
    let span = table.state.tapestry.span();
    assert_eq!((span.rows(), span.columns(), span.right), (4, 5, 8));
    let view = serde_json::to_value(Tapestry::view(&table.state, crate::seat::Viewer::Spectator));
    let view = view.unwrap();
    assert_eq!(
        (&view["tapestry"]["rows_left"], &view["tapestry"]["columns_left"]),
        (&4.into(), &3.into())
    );
}

#[test]
fn r5_1_a_card_is_placed_beside_another() {
    let table = holding("red asteroid", &[(4, 4, "red comet")]);
    for (row, column) in [(3, 4), (5, 4), (4, 3), (4, 5)] {
        let placed = Event::CardPlaced { row, column, card: card("red asteroid") };
        assert_eq!(table.when(0, &place(row, column)).unwrap()[0], placed);
    }
    // Corners do not touch.
    for (row, column) in [(3, 3), (3, 5), (5, 3), (5, 5), (0, 0), (4, 6)] {
        assert_eq!(table.when(0, &place(row, column)), Err(Refusal::NoNeighbour));
    }
}

#[test]
fn r5_1_a_cell_holds_one_card() {
    let table = holding("red asteroid", &[(4, 4, "red comet")]);
    assert_eq!(table.when(0, &place(4, 4)), Err(Refusal::CellTaken));
}

#[test]
fn r5_2_colours_are_the_same_or_neighbours_in_the_rainbow() {
    for (hand, fits) in [
        ("red comet", false),
        ("orange comet", true),
        ("yellow comet", true),
        ("green comet", true),
        ("blue comet", false),
        ("purple comet", false),
    ] {
        let table = holding(hand, &[(4, 4, "yellow nebula")]);
        let expected = if fits { Ok(()) } else { Err(Refusal::ColourClash) };
        assert_eq!(table.when(0, &place(4, 5)).map(|_| ()), expected, "{hand}");
    }
    let ends = holding("purple comet", &[(4, 4, "red nebula")]);
    assert_eq!(ends.when(0, &place(4, 5)), Err(Refusal::ColourClash));
}

#[test]
fn r5_2_every_side_counts() {
    let sides = [(4, 5), (6, 5), (5, 4), (5, 6)];
    for odd in 0..4 {
        let laid: Vec<(u8, u8, &str)> = sides
            .into_iter()
            .enumerate()
            .map(|(side, (row, column))| {
                (row, column, if side == odd { "blue nebula" } else { "green nebula" })
            })
            .collect();
        assert!(holding("green comet", &laid).when(0, &place(5, 5)).is_ok());
        let refused = holding("yellow comet", &laid).when(0, &place(5, 5));
        assert_eq!(refused, Err(Refusal::ColourClash), "side {odd}");
    }
}

#[test]
fn r5_3_equal_bodies_do_not_touch_on_any_side() {
    let sides = [(4, 5), (6, 5), (5, 4), (5, 6)];
    for odd in 0..4 {
        let laid: Vec<(u8, u8, &str)> = sides
            .into_iter()
            .enumerate()
            .map(|(side, (row, column))| {
                (row, column, if side == odd { "blue comet" } else { "blue nebula" })
            })
            .collect();
        assert!(holding("blue asteroid", &laid).when(0, &place(5, 5)).is_ok());
        let refused = holding("blue comet", &laid).when(0, &place(5, 5));
        assert_eq!(refused, Err(Refusal::SameBody), "side {odd}");
    }
}

#[test]
fn r5_4_what_breaks_a_rule_is_refused_and_changes_nothing() {
    let table = holding("red comet", &[(4, 4, "red comet")]);
    assert_eq!(table.when(0, &place(4, 5)), Err(Refusal::SameBody));
    assert_eq!(table.legal(0), [DISCARD]);
}

#[test]
fn r6_1_the_card_in_hand_takes_the_place_of_one_that_it_beats() {
    for (hand, lies, beats) in [
        ("red asteroid", "red comet", true),
        ("red comet", "red nebula", true),
        ("red nebula", "red asteroid", true),
        ("red comet", "red asteroid", false),
        ("red nebula", "red comet", false),
        ("red asteroid", "red nebula", false),
        ("red comet", "red comet", false),
    ] {
        let table = holding(hand, &[(4, 4, lies)]);
        let exchanged =
            Event::CardExchanged { row: 4, column: 4, card: card(hand), lifted: card(lies) };
        let expected = if beats { Ok(vec![exchanged]) } else { Err(Refusal::NotSuperior) };
        assert_eq!(table.when(0, &exchange(4, 4)), expected, "{hand} for {lies}");
    }
}

#[test]
fn r6_1_on_an_empty_cell_there_is_nothing_to_exchange() {
    let table = holding("red asteroid", &[(4, 4, "red comet")]);
    assert_eq!(table.when(0, &exchange(4, 5)), Err(Refusal::CellEmpty));
}

#[test]
fn r6_2_the_exchanged_card_must_match_its_neighbours() {
    // Only the neighbours matter, not the card being replaced.
    let laid = [(5, 5, "orange comet"), (5, 6, "yellow nebula")];
    assert!(holding("green asteroid", &laid).when(0, &exchange(5, 5)).is_ok());
    assert_eq!(holding("red asteroid", &laid).when(0, &exchange(5, 5)), Err(Refusal::ColourClash));
    let laid = [(5, 5, "yellow comet"), (5, 6, "yellow asteroid")];
    assert_eq!(holding("yellow asteroid", &laid).when(0, &exchange(5, 5)), Err(Refusal::SameBody));
}

#[test]
fn r6_2_a_start_card_that_touches_nothing_may_be_exchanged_for_any_colour() {
    let start = ["red comet", "red comet", "red comet", "red comet"].map(card);
    let mut table = table(Mode::Time, &stacked(&start)).play(0, &draw(0), []);
    table.state.phase = Phase::Holding { card: card("purple asteroid"), slot: 0, chain: 0 };
    for corner in 4..8 {
        assert!(table.when(0, &exchange(corner, corner)).is_ok());
    }
}

#[test]
fn r6_3_the_lifted_card_is_in_hand_and_the_chain_goes_on() {
    let laid = [(4, 4, "red comet"), (5, 5, "red nebula"), (6, 6, "red asteroid")];
    let table = holding("blue asteroid", &laid)
        .play(0, &exchange(4, 4), [])
        .play(0, &exchange(5, 5), [])
        .play(0, &exchange(6, 6), []);
    let hand = Phase::Holding { card: card("red asteroid"), slot: 0, chain: 3 };
    assert_eq!(table.state.phase, hand);
    assert_eq!((table.state.exchanges, table.state.longest_chain), (3, 3));
    let lies: Vec<Card> = table.state.tapestry.cards().map(|(_, card)| card).collect();
    assert_eq!(lies, ["blue asteroid", "red comet", "red nebula"].map(card));
    assert_eq!(table.when(0, &draw(1)), Err(Refusal::HandFull));
    // The asteroid beats the comet that was laid one step ago, and so on for ever.
    let table = table.play(0, &exchange(5, 5), []).play(0, &exchange(6, 6), []);
    assert_eq!(table.state.longest_chain, 5);
    assert_eq!(table.state.tapestry.filled(), 3);
    let table = table.play(0, &DISCARD, []);
    assert_eq!(table.state.discards, [card("red nebula")]);
}

#[test]
fn r6_3_the_longest_chain_is_that_of_one_turn() {
    let laid = [(4, 4, "red comet"), (5, 5, "red nebula")];
    let mut table = holding("blue asteroid", &laid)
        .play(0, &exchange(4, 4), [])
        .play(0, &exchange(5, 5), [])
        .play(0, &DISCARD, [])
        .play(0, &draw(0), []);
    table.state.phase = Phase::Holding { card: card("red asteroid"), slot: 0, chain: 0 };
    let table = table.play(0, &exchange(5, 5), []);
    assert_eq!((table.state.exchanges, table.state.longest_chain), (3, 2));
}
