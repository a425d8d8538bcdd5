//! The end and the score (R8).

use super::*;
use crate::{
    games::brotando::{components::Lines, score},
    outcome::MeasureValue,
};

fn points(state: &State, number: usize, id: &str) -> i64 {
    let lines = score::breakdown(&state.plots[number]);
    lines.iter().find(|line| line.id == id).map(|line| line.points).expect("a declared line")
}

/// Seat 0 has this sprout, has crossed these segments' lines, and has no reserve.
fn scored(segments: &[Segment], crossings: &[Segment]) -> State {
    let mut state = opened::<Brotando>(2);
    state.plots[0].reserve = 0;
    state.plots[0].sprout = sprout(segments);
    let lines = crossings.iter().flat_map(|segment| Lines::crossed_by(segment.squares()).iter());
    state.plots[0].crossed = lines.collect();
    state
}

#[test]
fn r8_1_after_the_reward_of_day_fourteen_hands_are_shown_and_the_match_ends() {
    let table = set(dusk(&[growth(EXAMPLE); 2], 14), |state| {
        hold(state, 1, Wind::TakeSix);
        state.plots[1].sprout = sprout(&[Segment::right(4, 9)]);
    });
    let events = table.when(0, &SKIP).unwrap();
    assert!(matches!(events[1], Event::RewardsPaid { .. }));
    let ended = Event::GameEnded { hands: vec![vec![], vec![Wind::TakeSix]] };
    assert_eq!(events.last(), Some(&ended));
    let table = table.and(events);
    assert!(Brotando::finished(&table.state));
    assert!(Brotando::to_act(&table.state).is_empty());
    assert_eq!(
        shown(&table, Viewer::Spectator)["seats"][1]["winds"],
        serde_json::json!(["take_six"])
    );
    assert_eq!(shown(&table, Viewer::Spectator)["seats"][1]["score"], 10 + 1 + 2 + 6);
    let earlier = dusk(&[growth(EXAMPLE); 2], 13).play(0, &SKIP, []);
    assert!(!Brotando::finished(&earlier.state));
}

#[test]
fn r8_2_segments_in_reserve_count_one_and_on_the_board_two() {
    let mut state = scored(&[Segment::down(7, 11), Segment::down(7, 9)], &[]);
    state.plots[0].reserve = 3;
    assert_eq!(points(&state, 0, "reserve"), 3);
    assert_eq!(points(&state, 0, "squares"), 4, "the start square does not count");
    assert_eq!(score::total(&state.plots[0]), 7);
}

#[test]
fn r8_3_purple_lines_cost_three_and_blue_ones_five() {
    let purple = [Segment::right(0, 5), Segment::right(0, 6), Segment::down(5, 2)];
    let blue = [Segment::right(5, 0), Segment::right(5, 7)];
    let state = scored(&[], &[&purple[..], &blue[..]].concat());
    assert_eq!(points(&state, 0, "purple_lines"), -6, "the same line twice counts once");
    assert_eq!(points(&state, 0, "blue_lines"), -5, "and so for one of several parts");
    assert_eq!(score::total(&state.plots[0]), -11);
}

#[test]
fn r8_4_yellow_suns_count_again_for_each_card() {
    // Columns 6 and 8 of row 13 are yellow.
    let mut state = scored(&[Segment::right(5, 13), Segment::right(8, 13)], &[]);
    assert_eq!(points(&state, 0, "wind_yellow"), 0);
    hold(&mut state, 0, Wind::ScoreYellow);
    assert_eq!(points(&state, 0, "wind_yellow"), 4);
    hold(&mut state, 0, Wind::ScoreYellow);
    assert_eq!(points(&state, 0, "wind_yellow"), 8);
}

#[test]
fn r8_4_the_most_expensive_lines_are_ignored() {
    let mut state = scored(&[], &[Segment::right(0, 5), Segment::right(5, 0)]);
    hold(&mut state, 0, Wind::IgnoreLine);
    assert_eq!(points(&state, 0, "wind_line"), 5);
    hold(&mut state, 0, Wind::IgnoreLine);
    assert_eq!(points(&state, 0, "wind_line"), 8);
    hold(&mut state, 0, Wind::IgnoreLine);
    assert_eq!(points(&state, 0, "wind_line"), 8, "there is no third line");
    assert_eq!(score::total(&state.plots[0]), 0);
}

#[test]
fn r8_4_six_segments_not_taken_count_six_and_other_cards_nothing() {
    let mut state = scored(&[], &[]);
    hold(&mut state, 0, Wind::TakeSix);
    assert_eq!(points(&state, 0, "wind_segments"), 6);
    for wind in [Wind::ReorderDeck, Wind::BalanceFour, Wind::TakeCard] {
        hold(&mut state, 0, wind);
    }
    assert_eq!(score::total(&state.plots[0]), 6);
    assert_eq!(score::open_total(&state.plots[0]), 0, "which nobody else sees before the end");
}

#[test]
fn r8_4_cards_that_apply_at_the_end_count_as_used_then() {
    let used = |state: &State, id: &str| {
        let measures = &Brotando::standings(state).seats[0].measures;
        measures.iter().find(|it| it.id == id).expect("a measure").value.clone()
    };
    let mut state = scored(&[], &[]);
    for wind in [Wind::ScoreYellow, Wind::IgnoreLine, Wind::TakeSix, Wind::TakeSix] {
        hold(&mut state, 0, wind);
    }
    assert_eq!(used(&state, "used_take_six"), MeasureValue::Number(0), "the match is not over");
    state.phase = Phase::Over;
    assert_eq!(used(&state, "used_score_yellow"), MeasureValue::Number(1));
    assert_eq!(used(&state, "used_ignore_line"), MeasureValue::Number(1));
    assert_eq!(used(&state, "used_take_six"), MeasureValue::Number(2));
    state.rules = 1;
    let played_only = used(&state, "used_take_six");
    assert_eq!(played_only, MeasureValue::Number(0), "as the first version of the rules counted");
}

#[test]
fn r8_5_equal_totals_share_the_win_and_totals_may_be_negative() {
    let mut state = opened::<Brotando>(3);
    state.plots[0].reserve = 0;
    state.plots[0].crossed = Lines::crossed_by(Segment::right(0, 5).squares());
    let seats = Brotando::standings(&state).seats;
    assert_eq!(seats[0].score, Some(-3));
    let places: Vec<(u8, bool)> = seats.iter().map(|seat| (seat.place, seat.won)).collect();
    assert_eq!(places, [(3, false), (1, true), (1, true)]);
}
