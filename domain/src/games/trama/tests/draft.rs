//! R3: selecting.

use super::{
    super::{refusal::Refusal, state::Phase},
    *,
};
use crate::{
    chance::Scripted,
    game::{Nature, StoredEvent},
    seat::Viewer,
};

#[test]
fn r3_1_a_seat_picks_one_cord_of_its_hand() {
    let table = dealt(&[[Red, Red, Sky, Sky, Sky], [Blue; 5]]);
    assert_eq!(table.legal(0), [pick(Red), pick(Sky)]);
    assert_eq!(table.legal(1), [pick(Blue)]);
    assert_eq!(table.when(0, &pick(Blue)), Err(Refusal::NotInHand));
    assert_eq!(
        table.when(0, &pick(Red)),
        Ok(vec![Event::CordPicked { seat: seat(0), colour: Red }])
    );
    let table = table.play(0, &pick(Red), []);
    assert!(table.legal(0).is_empty());
    assert_eq!(table.when(0, &pick(Sky)), Err(Refusal::AlreadyPicked));
}

#[test]
fn r3_1_while_cords_are_selected_nothing_else_is_done() {
    let table = dealt(&[[Red; 5]; 2]);
    for mv in [weave(Red, Vertical, 0, &[]), place(ADJACENT[0])] {
        assert_eq!(table.when(0, &mv), Err(Refusal::CordsAreBeingSelected));
    }
}

#[test]
fn r3_2_a_pick_is_hidden_until_all_have_picked() {
    let table = dealt(&[[Red, Red, Sky, Sky, Sky], [Blue; 5]]);
    let before = shown(&table, Viewer::Spectator);
    let table = table.play(0, &pick(Sky), []);
    let mine = shown(&table, Viewer::Seat(seat(0)));
    assert_eq!(mine["places"][0]["pick"], "sky");
    for viewer in [Viewer::Seat(seat(1)), Viewer::Spectator] {
        let mut theirs = shown(&table, viewer);
        assert_eq!(theirs["places"][0]["picked"], true);
        // Nothing has changed except that a pick was made.
        theirs["places"][0]["picked"] = false.into();
        assert_eq!(theirs, before);
    }
    let event = Event::CordPicked { seat: seat(0), colour: Sky };
    let told = |viewer| serde_json::to_value(Trama::event_view(&event, viewer)).unwrap();
    assert_eq!(
        told(Viewer::Seat(seat(1))),
        serde_json::json!({ "type": "cord_picked", "seat": 0 })
    );
    assert_eq!(told(Viewer::Seat(seat(0)))["colour"], "sky");
    assert_eq!(told(Viewer::Archive)["colour"], "sky");

    let events = table.when(1, &pick(Blue)).unwrap();
    let natures: Vec<Nature> = events.iter().map(StoredEvent::nature).collect();
    assert_eq!(natures, [Nature::Choice, Nature::Reveal, Nature::Choice]);
    assert_eq!(events[1], Event::PicksRevealed { picks: vec![Sky, Blue] });
    let table = table.and(events);
    assert_eq!(table.state.areas[0].cords, cords(&[Sky]));
    assert_eq!(table.state.areas[0].pick, None);
    assert_eq!(shown(&table, Viewer::Spectator)["places"][0]["cords"], serde_json::json!(["sky"]));
}

#[test]
fn r3_2_the_picks_of_others_can_be_redealt() {
    let start = opened::<Trama>(2);
    let hands = vec![cords(&[Red, Sky, Sky, Sky, Sky]), cords(&[Blue; 5])];
    let log = [
        table_set(Objective::PurplePinkAndSkyBlue),
        Event::CordsDrawn { round: 1, hands },
        Event::CordPicked { seat: seat(0), colour: Sky },
    ];
    let other = Trama::redeal(&start, &log, Viewer::Spectator, &mut Scripted::new([0])).unwrap();
    assert_eq!(other[..2], log[..2]);
    assert_eq!(other[2], Event::CordPicked { seat: seat(0), colour: Red });
    let mine = Trama::redeal(&start, &log, Viewer::Seat(seat(0)), &mut Scripted::new([])).unwrap();
    assert_eq!(mine, log);
}

#[test]
fn r3_3_the_rest_of_the_hand_passes_to_the_next_seat_in_every_round() {
    for round in 1..=4 {
        let mut table = dealt(&[[Red; 5], [Sky; 5], [Blue; 5]]);
        table.state.round = round;
        let table = table.play(2, &pick(Blue), []).play(0, &pick(Red), []);
        let events = table.when(1, &pick(Sky)).unwrap();
        let hands = vec![cords(&[Blue; 4]), cords(&[Red; 4]), cords(&[Sky; 4])];
        assert_eq!(events.last(), Some(&Event::HandsPassed { hands }));
        let table = table.and(events);
        assert_eq!(table.state.areas[0].hand, cords(&[Blue; 4]), "from the last seat to seat 0");
        assert_eq!(table.state.areas[1].hand, cords(&[Red; 4]));
    }
}

#[test]
fn r3_4_four_picks_are_made_and_the_fifth_cord_leaves_the_game() {
    let mut table = dealt(&[[Red, Pink, Sky, Blue, Purple], [Red; 5]]);
    // The first hand goes back and forth; its holder picks a cord that is not red.
    for (mine, theirs) in [(Pink, Red), (Red, Sky), (Blue, Red)] {
        table = table.play(0, &pick(mine), []).play(1, &pick(theirs), []);
    }
    assert_eq!(table.state.pick_number(), 4);
    let bag = table.state.bag;
    let table = table.play(0, &pick(Red), []);
    let events = table.when(1, &pick(Purple)).unwrap();
    let last = vec![cords(&[Red]); 2];
    assert_eq!(events.last(), Some(&Event::LastCordsDiscarded { cords: last }));
    let table = table.and(events);
    assert_eq!(table.state.phase, Phase::Weaving);
    assert_eq!(table.state.areas[0].cords, cords(&[Pink, Red, Blue, Red]));
    assert_eq!(table.state.areas[1].cords, cords(&[Red, Sky, Red, Purple]));
    assert!(table.state.areas.iter().all(|area| area.hand.is_empty()));
    assert_eq!(table.state.bag, bag, "they do not go back into the bag");
}
