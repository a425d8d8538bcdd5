//! Wind cards (R7).

use super::*;
use crate::games::brotando::cards::Back;

fn holding(table: Given<Brotando>, number: usize, wind: Wind) -> Given<Brotando> {
    set(table, |state| hold(state, number, wind))
}

#[test]
fn r7_1_a_wind_card_is_played_once_by_its_owner_at_any_time() {
    assert_eq!(table(2).when(1, &TAKE_SIX), Err(Refusal::NoSuchWind));
    let bidding = table(3).play(0, &select(0), []);
    let deciding = table(2).play(0, &select(0), []).play(1, &bid(1), []);
    for (place, number) in [(table(2), 1), (table(2), 0), (bidding, 2), (deciding, 1)] {
        let place = holding(place, number, Wind::TakeSix);
        let number = u8::try_from(number).unwrap();
        assert!(place.legal(number).contains(&TAKE_SIX));
        let waiting = Brotando::to_act(&place.state);
        let epoch = Brotando::epoch(&place.state);
        let place = place.play(number, &TAKE_SIX, []);
        assert_eq!(Brotando::to_act(&place.state), waiting);
        assert_ne!(Brotando::epoch(&place.state), epoch, "a reserve has changed for all to see");
        assert_eq!(place.when(number, &TAKE_SIX), Err(Refusal::NoSuchWind));
        let view = shown(&place, Viewer::Spectator);
        assert_eq!(view["seats"][usize::from(number)]["played"], serde_json::json!(["take_six"]));
    }
}

#[test]
fn r7_1_a_card_obtained_today_can_be_played_today_and_still_asks_for_one_segment() {
    let table = centre(&[Card::Wind(Wind::TakeSix), growth(EXAMPLE)])
        .play(0, &select(0), [])
        .play(1, &LEAVE, [])
        .play(0, &TAKE_SIX, []);
    assert_eq!(table.state.plots[0].reserve, 16);
    assert!(table.when(0, &grow(&[Segment::right(8, 13)])).is_ok());
}

#[test]
fn r7_2_and_r7_3_cards_that_count_at_the_end_are_not_played() {
    for wind in [Wind::ScoreYellow, Wind::IgnoreLine] {
        let table = holding(table(2), 0, wind);
        assert_eq!(table.legal(0), [select(0), select(1)]);
    }
    for name in ["score_yellow", "ignore_line"] {
        let json = format!(r#"{{"type":"play_wind","wind":{{"type":"{name}"}}}}"#);
        assert!(serde_json::from_str::<Move>(&json).is_err());
    }
}

#[test]
fn r7_4_six_segments_are_taken() {
    let table = holding(table(2), 1, Wind::TakeSix).play(1, &TAKE_SIX, []);
    assert_eq!(table.state.plots[1].reserve, 16);
}

#[test]
fn r7_4_six_segments_pay_a_failed_test_first() {
    let owing = |debt| {
        set(table(2), |state| {
            state.phase = Phase::Testing;
            state.plots[0].reserve = 0;
            state.plots[0].debt = debt;
            state.plots[0].sprout = spread(8, 0, 0);
            hold(state, 0, Wind::TakeSix);
        })
    };
    let table = owing(4).play(0, &TAKE_SIX, []);
    assert_eq!((table.state.plots[0].reserve, table.state.plots[0].debt), (2, 0));
    assert_eq!(table.state.phase, Phase::Selecting { active: seat(0) });
    assert_eq!(table.state.plots[0].counters.lost, 4);

    let table = owing(8).play(0, &TAKE_SIX, []);
    assert_eq!((table.state.plots[0].reserve, table.state.plots[0].debt), (0, 2));
    assert_eq!(Brotando::to_act(&table.state), seats(&[0]), "two are still to be dropped");
}

#[test]
fn r7_5_the_next_three_cards_are_put_in_any_order() {
    let table = set(holding(table(3), 1, Wind::ReorderDeck), |state| {
        state.plots[1].deck[2] = Card::Wind(Wind::TakeCard);
    });
    let before = table.state.plots[1].deck.clone();
    let events = table.when(1, &REORDER).unwrap();
    let peeked = events.last().unwrap();
    assert_eq!(told(peeked, Viewer::Seat(seat(1)))["cards"][2]["wind"], "take_card");
    for viewer in [Viewer::Seat(seat(0)), Viewer::Spectator] {
        let seen = serde_json::json!({ "type": "deck_peeked", "seat": 1, "count": 3 });
        assert_eq!(told(peeked, viewer), seen);
    }

    let table = table.and(events);
    assert_eq!(Brotando::to_act(&table.state), seats(&[1]), "everybody waits");
    assert_eq!(table.legal(1).len(), 6);
    assert!(table.legal(0).is_empty());
    assert_eq!(table.when(0, &select(0)), Err(Refusal::DeckBeingArranged));
    assert_eq!(table.when(1, &LEAVE), Err(Refusal::ArrangeFirst));
    for order in [&[0, 1][..], &[0, 1, 1], &[0, 1, 3], &[0, 1, 2, 3], &[]] {
        assert_eq!(table.when(1, &arrange(order)), Err(Refusal::BadOrder), "{order:?}");
    }

    let events = table.when(1, &arrange(&[2, 0, 1])).unwrap();
    let arranged = Event::DeckArranged { seat: seat(1), order: nths(&[2, 0, 1]), top: Back::Wind };
    assert_eq!(events, std::slice::from_ref(&arranged));
    let seen = serde_json::json!({ "type": "deck_arranged", "seat": 1, "top": "wind" });
    assert_eq!(told(&arranged, Viewer::Seat(seat(0))), seen);

    let table = table.and(events);
    let deck = &table.state.plots[1].deck;
    assert_eq!(deck[..3], [before[2], before[0], before[1]]);
    assert_eq!(deck[3..], before[3..]);
    assert_eq!(table.state.phase, Phase::Selecting { active: seat(0) });
    assert_eq!(table.when(1, &arrange(&[0, 1, 2])), Err(Refusal::NothingToArrange));
    // The owner still knows what it has seen; nobody else does.
    let next = |viewer| shown(&table, viewer)["seats"][1]["deck"]["next"].clone();
    assert_eq!(next(Viewer::Seat(seat(1))).as_array().unwrap().len(), 3);
    assert!(next(Viewer::Seat(seat(0))).is_null());
    assert!(next(Viewer::Spectator).is_null());
}

#[test]
fn r7_5_when_fewer_cards_remain_all_of_them_are_shown() {
    let left = |cards| {
        let table = holding(table(2), 0, Wind::ReorderDeck);
        set(table, |state| state.plots[0].deck.truncate(cards))
    };
    assert_eq!(left(2).play(0, &REORDER, []).legal(0).len(), 2);
    assert_eq!(left(1).play(0, &REORDER, []).legal(0), [arrange(&[0])]);
    assert_eq!(left(0).when(0, &REORDER), Err(Refusal::DeckEmpty));
    assert!(!left(0).legal(0).contains(&REORDER));
}

#[test]
fn r7_6_four_segments_are_taken_on_a_day_with_a_passed_test() {
    let table = holding(table(2), 1, Wind::BalanceFour);
    assert_eq!(table.when(1, &FOUR), Err(Refusal::NoTestPassed));
    let passed = set(table, |state| state.plots[1].passed_on = state.day);
    assert!(passed.legal(1).contains(&FOUR));
    let after = passed.play(1, &FOUR, []);
    assert_eq!(after.state.plots[1].reserve, 14);
}

#[test]
fn r7_6_a_test_passed_before_the_card_was_obtained_or_on_another_day_does_not_count() {
    let table = set(table(2), |state| {
        state.plots[1].passed_on = state.day;
        state.plots[1].hand.push(HeldWind { wind: Wind::BalanceFour, since: state.day });
    });
    assert_eq!(table.when(1, &FOUR), Err(Refusal::NoTestPassed));
    let later = set(table, |state| state.day += 1);
    assert_eq!(later.when(1, &FOUR), Err(Refusal::NoTestPassed));
}

#[test]
fn r7_6_the_test_of_the_same_day_counts() {
    let table = set(dusk(&[Card::Wind(Wind::TakeSix), growth(EXAMPLE)], 3), |state| {
        state.plots[0].sprout = spread(2, 2, 2);
        hold(state, 0, Wind::BalanceFour);
    });
    let table = table.play(0, &SKIP, []);
    assert!(table.legal(0).contains(&FOUR));
    assert_eq!(shown(&table, Viewer::Spectator)["seats"][0]["passed_test"], true);
}

#[test]
fn r7_6_each_of_several_cards_pays_four() {
    let table = set(table(2), |state| {
        hold(state, 1, Wind::BalanceFour);
        hold(state, 1, Wind::BalanceFour);
        state.plots[1].passed_on = state.day;
    });
    let after = table.play(1, &FOUR, []).play(1, &FOUR, []);
    assert_eq!(after.state.plots[1].reserve, 10 + 4 + 4);
    assert!(after.when(1, &FOUR).is_err(), "there is no third card");
}

#[test]
fn r7_7_the_active_seat_takes_a_card_without_an_auction() {
    let table = holding(table(3), 0, Wind::TakeCard);
    assert_eq!(table.when(0, &take_card(7)), Err(Refusal::NoSuchCard));
    let events = table.when(0, &take_card(2)).unwrap();
    let taken = Event::CardObtained {
        seat: seat(0),
        card: 2,
        face: growth(EXAMPLE),
        deal: Deal::ByWind {},
    };
    assert!(events.contains(&taken));
    let after = table.and(events);
    assert_eq!(after.state.phase, Phase::Selecting { active: seat(1) });
    assert_eq!(after.state.plots[0].reserve, 10);
}

#[test]
fn r7_7_the_selected_card_can_be_taken_until_the_first_bid() {
    let table = holding(table(3), 0, Wind::TakeCard).play(0, &select(2), []);
    assert_eq!(table.legal(0), [take_card(2)]);
    assert_eq!(table.when(0, &take_card(1)), Err(Refusal::OtherCardSelected));
    let left = table.play(1, &LEAVE, []);
    assert!(left.when(0, &take_card(2)).is_ok(), "nobody has bid yet");
    let bid = left.play(2, &bid(1), []);
    assert_eq!(bid.when(0, &take_card(2)), Err(Refusal::CannotTakeNow));
}

#[test]
fn r7_7_nobody_but_the_active_seat_takes_a_card() {
    let table = holding(table(3), 1, Wind::TakeCard);
    assert_eq!(table.when(1, &take_card(0)), Err(Refusal::CannotTakeNow));
    assert!(table.legal(1).is_empty());
    let table = table.play(0, &select(0), []);
    assert_eq!(table.when(1, &take_card(0)), Err(Refusal::CannotTakeNow));
}
