//! R4: weaving.

use std::collections::BTreeSet;

use serde_json::json;

use super::{super::refusal::Refusal, *};
use crate::{seat::Viewer, text::Lang};

/// Seat 0 has red at horizontal 1 and 4 and weaves a third cord next.
fn two_horizontals() -> Given<Trama> {
    collected(&[[Red, Red, Sky, Blue]; 2]).play(0, &weave(Red, Horizontal, 1, &[]), []).play(
        0,
        &weave(Red, Horizontal, 4, &[]),
        [],
    )
}

#[test]
fn r4_1_all_four_cords_are_woven_in_any_order() {
    let table = collected(&[[Red, Pink, Sky, Sky]; 2]);
    assert_eq!(table.when(0, &weave(Blue, Vertical, 0, &[])), Err(Refusal::CordNotCollected));
    let table = table
        .play(0, &weave(Sky, Vertical, 0, &[]), [])
        .play(0, &weave(Red, Vertical, 1, &[]), [])
        .play(0, &weave(Sky, Vertical, 2, &[]), []);
    assert_eq!(table.when(0, &weave(Sky, Vertical, 3, &[])), Err(Refusal::CordNotCollected));
    let table = table.play(0, &weave(Pink, Vertical, 3, &[]), []);
    assert_eq!(table.when(0, &weave(Red, Vertical, 4, &[])), Err(Refusal::NothingLeftToWeave));
    assert!(table.legal(0).is_empty());
}

#[test]
fn r4_1_while_looms_are_woven_nothing_else_is_done() {
    let table = collected(&[[Red; 4]; 2]);
    for mv in [pick(Red), place(ADJACENT[0])] {
        assert_eq!(table.when(0, &mv), Err(Refusal::LoomsAreBeingWoven));
    }
}

#[test]
fn r4_2_a_slot_holds_one_cord() {
    let table = two_horizontals();
    assert_eq!(table.when(0, &weave(Sky, Horizontal, 4, &[])), Err(Refusal::SlotTaken));
    assert!(table.when(0, &weave(Sky, Vertical, 4, &[])).is_ok(), "the other axis is free");
    assert!(table.when(1, &weave(Sky, Horizontal, 4, &[])).is_ok(), "so is the other loom");
}

#[test]
fn r4_3_a_cord_passes_over_or_under_each_cord_that_it_crosses() {
    let table = two_horizontals();
    for (over, under) in [(&[][..], &[1, 4][..]), (&[1], &[4]), (&[4], &[1]), (&[1, 4], &[])] {
        let events = table.when(0, &weave(Sky, Vertical, 3, over)).unwrap();
        let (over, under) = (slots(over), slots(under));
        let (seat, slot) = (seat(0), slot(3));
        assert_eq!(
            events,
            [Event::CordWoven { seat, colour: Sky, axis: Vertical, slot, over, under }]
        );
    }
    for over in [&[0][..], &[1, 2], &[3]] {
        assert_eq!(table.when(0, &weave(Sky, Vertical, 3, over)), Err(Refusal::NothingToCross));
    }
    // Cords of the same axis are not crossed.
    assert_eq!(table.when(0, &weave(Sky, Horizontal, 3, &[1])), Err(Refusal::NothingToCross));
}

#[test]
fn r4_3_over_is_read_in_any_order_but_without_repetition() {
    let read = |over: &str| {
        let json = format!(
            r#"{{"type":"weave","colour":"red","axis":"vertical","slot":0,"over":{over}}}"#
        );
        serde_json::from_str::<Move>(&json).map_err(|error| error.to_string())
    };
    assert_eq!(read("[4,1]"), Ok(weave(Red, Vertical, 0, &[1, 4])));
    assert!(read("[4,4]").unwrap_err().contains("Slot 4 is named twice"));
    assert!(read("[8]").unwrap_err().contains("There is no slot 8"));
    let written = serde_json::to_value(weave(Red, Vertical, 0, &[4, 1])).unwrap();
    assert_eq!(written["over"], serde_json::json!([1, 4]));
}

#[test]
fn r4_3_every_way_of_crossing_is_legal_and_the_listing_names_each_slot_once() {
    let table = two_horizontals();
    let legal = table.legal(0);
    let distinct: BTreeSet<String> = legal.iter().map(|mv| format!("{mv:?}")).collect();
    // Two colours in six horizontal slots, or in eight vertical ones in four ways.
    assert_eq!((legal.len(), distinct.len()), (2 * (6 + 8 * 4), 2 * (6 + 8 * 4)));

    let listing = Trama::listing(&table.state, seat(0));
    assert!(!listing.complete);
    assert_eq!(listing.moves.len(), 2 * (6 + 8));
    for listed in &listing.moves {
        assert!(legal.contains(&listed.mv));
        let Move::Weave { axis, .. } = listed.mv else { panic!("only weaving is listed") };
        let among = listed.fill.as_ref().map(|fill| (fill.field, fill.among.clone()));
        assert_eq!(among, (axis == Vertical).then(|| ("over", vec![1, 4])));
    }
    let labels: BTreeSet<String> = listing
        .moves
        .iter()
        .map(|listed| Trama::label(&table.state, seat(0), &listed.mv, Lang::Es))
        .collect();
    assert_eq!(labels.len(), listing.moves.len());
    assert!(Trama::listing(&table.state, seat(1)).complete, "an empty loom has nothing to cross");
}

#[test]
fn r4_3_the_words_say_what_is_passed_over_and_under() {
    let table = two_horizontals();
    let label = |over: &[u8], lang| {
        Trama::label(&table.state, seat(0), &weave(Sky, Vertical, 2, over), lang)
    };
    assert_eq!(label(&[1, 4], Lang::Es), "Teje celeste, vertical 2, por encima de 1 y 4");
    assert_eq!(label(&[4], Lang::En), "Weave sky, vertical 2, over 4, under 1");
    assert_eq!(label(&[], Lang::Es), "Teje celeste, vertical 2, por debajo de 1 y 4");
}

#[test]
fn r4_4_a_crossing_never_changes() {
    let table = two_horizontals().play(0, &weave(Sky, Vertical, 3, &[4]), []).play(
        0,
        &weave(Blue, Horizontal, 0, &[3]),
        [],
    );
    let loom = &shown(&table, Viewer::Spectator)["places"][0]["loom"];
    let passes = |axis: &str, slot: usize| {
        let cord = &loom[axis][slot];
        (cord["over"].clone(), cord["under"].clone())
    };
    assert_eq!(passes("vertical", 3), (json!([4]), json!([0, 1])));
    assert_eq!(passes("horizontal", 0), (json!([3]), json!([])));
    assert_eq!(passes("horizontal", 1), (json!([3]), json!([])));
    assert_eq!(passes("horizontal", 4), (json!([]), json!([3])));
    assert_eq!(loom["vertical"][0], json!(null));
    assert_eq!((table.state.areas[0].passed_over, table.state.areas[0].passed_under), (2, 1));
}

#[test]
fn r4_5_an_axis_may_hold_any_number_of_cords_of_a_colour() {
    let mut table = collected(&[[Red; 4]; 2]);
    for at in 0..4 {
        table = table.play(0, &weave(Red, Vertical, at, &[]), []);
    }
    assert_eq!(shown(&table, Viewer::Spectator)["places"][0]["penalties"], 1);
}
