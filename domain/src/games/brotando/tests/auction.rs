//! Auctions (R4).

use super::*;

#[test]
fn r4_1_the_active_seat_selects_a_card_of_the_centre() {
    let table = table(3);
    assert_eq!(table.legal(0), [select(0), select(1), select(2)]);
    assert_eq!(table.when(1, &select(0)), Err(Refusal::NotYourTurn));
    assert_eq!(table.when(0, &select(3)), Err(Refusal::NoSuchCard));
    assert_eq!(table.when(0, &select(255)), Err(Refusal::NoSuchCard));
    assert_eq!(table.when(0, &bid(1)), Err(Refusal::SelectFirst));
    let table = table.play(0, &select(2), []);
    assert_eq!(table.when(0, &bid(1)), Err(Refusal::NotYourTurn), "it does not bid itself");
}

#[test]
fn r4_2_bidders_raise_or_leave_for_good_beginning_to_the_left() {
    let table = set(table(4), |state| state.phase = Phase::Selecting { active: seat(1) });
    let table = table.play(1, &select(2), []);
    assert_eq!(Brotando::to_act(&table.state), seats(&[2]));
    assert_eq!(table.when(3, &bid(1)), Err(Refusal::NotYourTurn));
    assert_eq!(table.when(2, &bid(0)), Err(Refusal::BidTooLow));
    assert_eq!(table.when(2, &KEEP), Err(Refusal::BidOrLeave));
    let table = table.play(2, &bid(2), []);
    assert_eq!(table.when(3, &bid(2)), Err(Refusal::BidTooLow));
    let table = table.play(3, &LEAVE, []).play(0, &bid(5), []);
    assert_eq!(Brotando::to_act(&table.state), seats(&[2]), "seat 3 has left");
    assert_eq!(table.legal(2).len(), 1 + 5, "leave, or 6 to 10");
}

#[test]
fn r4_3_nobody_bids_more_than_its_reserve() {
    let table = set(table(2), |state| state.plots[1].reserve = 3).play(0, &select(0), []);
    assert_eq!(table.legal(1), [LEAVE, bid(1), bid(2), bid(3)]);
    assert_eq!(table.when(1, &bid(4)), Err(Refusal::BidBeyondReserve));
    assert_eq!(table.when(1, &bid(u16::MAX)), Err(Refusal::BidBeyondReserve));
}

#[test]
fn r4_4_nobody_raises_its_own_bid() {
    let table = table(3).play(0, &select(0), []).play(1, &bid(1), []).play(2, &LEAVE, []);
    let highest = Bid { seat: seat(1), amount: 1 };
    assert_eq!(table.state.phase, Phase::Deciding { active: seat(0), card: 0, highest });
    assert_eq!(table.when(1, &bid(2)), Err(Refusal::NotYourTurn));
    // The last remaining seat may still bid if it has not bid yet.
    let table = super::table(3).play(0, &select(0), []).play(1, &LEAVE, []);
    assert_eq!(Brotando::to_act(&table.state), seats(&[2]));
    assert!(table.when(2, &bid(1)).is_ok());
}

#[test]
fn r4_5_if_nobody_bids_the_active_seat_takes_the_card_for_free() {
    let table = table(3).play(0, &select(1), []).play(1, &LEAVE, []);
    let events = table.when(2, &LEAVE).unwrap();
    let taken =
        Event::CardObtained { seat: seat(0), card: 1, face: growth(EXAMPLE), deal: Deal::Unbid {} };
    assert!(events.contains(&taken));
    let table = table.and(events);
    assert_eq!(table.state.plots[0].reserve, 10);
    assert_eq!(table.state.phase, Phase::Selecting { active: seat(1) });
}

#[test]
fn r4_6_keeping_costs_half_of_the_bid_rounded_up() {
    let table = table(3).play(0, &select(0), []).play(1, &bid(5), []).play(2, &LEAVE, []);
    assert_eq!(table.legal(0), [KEEP, SELL]);
    assert_eq!(table.when(0, &bid(6)), Err(Refusal::KeepOrSell));
    assert_eq!(table.when(1, &KEEP), Err(Refusal::NotYourTurn));
    let poor = set(super::table(3).play(0, &select(0), []), |state| state.plots[0].reserve = 2)
        .play(1, &bid(5), [])
        .play(2, &LEAVE, []);
    assert_eq!(poor.when(0, &KEEP), Err(Refusal::CannotPayHalf));
    assert_eq!(poor.legal(0), [SELL]);

    let table = table.play(0, &KEEP, []);
    assert_eq!(table.state.plots[0].reserve, 7);
    assert_eq!(table.state.plots[1].reserve, 13);
    assert!(table.state.plots[0].card.is_some());
    assert_eq!(table.state.phase, Phase::Selecting { active: seat(1) });
}

#[test]
fn r4_7_selling_brings_the_whole_bid_and_another_selection() {
    let table = table(3).play(0, &select(0), []).play(1, &bid(5), []).play(2, &LEAVE, []);
    let table = table.play(0, &SELL, []);
    assert_eq!(table.state.plots[0].reserve, 15);
    assert_eq!(table.state.plots[1].reserve, 5);
    assert!(table.state.plots[1].card.is_some());
    assert_eq!(table.state.phase, Phase::Selecting { active: seat(0) });
    assert_eq!(table.legal(0), [select(1), select(2)]);
    assert_eq!(table.when(0, &select(0)), Err(Refusal::NoSuchCard));
}

#[test]
fn r4_8_a_seat_with_a_card_is_out_for_the_day() {
    let table = table(4).play(0, &select(0), []).play(1, &bid(1), []).play(2, &LEAVE, []);
    let table = table.play(3, &LEAVE, []).play(0, &SELL, []).play(0, &select(1), []);
    assert_eq!(Brotando::to_act(&table.state), seats(&[2]), "seat 1 bought a card");
    let table = table.play(2, &LEAVE, []);
    assert_eq!(table.when(1, &bid(1)), Err(Refusal::NotYourTurn));
    let table = table.play(3, &LEAVE, []);
    assert_eq!(table.state.phase, Phase::Selecting { active: seat(2) }, "seat 1 is passed over");
}

#[test]
fn r4_9_the_last_card_goes_to_the_last_seat_without_an_auction() {
    let kept = table(2).play(0, &select(1), []).play(1, &bid(1), []);
    let events = kept.when(0, &KEEP).unwrap();
    let last =
        Event::CardObtained { seat: seat(1), card: 0, face: growth(EXAMPLE), deal: Deal::Last {} };
    assert!(events.contains(&last));
    assert_eq!(events.last(), Some(&Event::GrowthOpened {}));
    // Also when the active seat is the one that is left.
    let table = kept.play(0, &SELL, []);
    assert!(table.state.plots[0].card.is_some());
    assert_eq!(table.state.phase, Phase::Growing);
}

#[test]
fn r4_10_only_its_owner_sees_a_wind_card() {
    let table = centre(&[Card::Wind(Wind::TakeSix), growth(EXAMPLE)]).play(0, &select(0), []);
    let events = table.when(1, &LEAVE).unwrap();
    let obtained = events.iter().find(|event| matches!(event, Event::CardObtained { .. })).unwrap();
    let face = |viewer| told(obtained, viewer)["face"].clone();
    let own = serde_json::json!({ "type": "wind", "wind": "take_six" });
    assert_eq!(face(Viewer::Seat(seat(0))), own);
    assert_eq!(face(Viewer::Seat(seat(1))), serde_json::json!({ "type": "wind" }));
    assert_eq!(face(Viewer::Spectator), serde_json::json!({ "type": "wind" }));

    let table = table.and(events);
    let plot = |viewer| shown(&table, viewer)["seats"][0].clone();
    assert_eq!(plot(Viewer::Seat(seat(0)))["winds"], serde_json::json!(["take_six"]));
    assert_eq!(plot(Viewer::Seat(seat(0)))["card"], own);
    for viewer in [Viewer::Seat(seat(1)), Viewer::Spectator] {
        assert!(plot(viewer).get("winds").is_none());
        assert_eq!(plot(viewer)["card"], serde_json::json!({ "type": "wind" }));
        assert_eq!(plot(viewer)["winds_in_hand"], 1);
    }
}
