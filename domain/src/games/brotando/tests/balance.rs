//! Cards are revealed, and the wind tests the sprouts (R3).

use super::*;
use crate::{
    game::{Nature, StoredEvent},
    games::brotando::sprout::Balance,
};

const GROWTH: &str = EXAMPLE;
const WIND: Card = Card::Wind(Wind::ScoreYellow);

/// The next day begins with wind for seat 0, whose sprout and reserve these are.
fn tested(sprout: Sprout, reserve: u16) -> (Vec<Event>, Given<Brotando>) {
    let table = set(dusk(&[WIND, growth(GROWTH)], 3), |state| {
        state.plots[0].sprout = sprout;
        state.plots[0].reserve = reserve;
    });
    let events = table.when(0, &SKIP).unwrap();
    (events.clone(), table.and(events))
}

#[test]
fn r3_1_cards_are_revealed_but_wind_stays_face_down() {
    let (events, table) = tested(spread(6, 4, 4), 5);
    let revealed =
        Event::DayBegan { day: 4, first: seat(0), cards: vec![None, Some(figure(GROWTH))] };
    assert!(events.contains(&revealed));
    assert_eq!(revealed.nature(), Nature::Reveal);
    for viewer in Viewer::at_table(2) {
        let view = shown(&table, viewer);
        assert_eq!(view["centre"][0]["face"], serde_json::json!({ "type": "wind" }));
        assert_eq!(view["centre"][1]["face"]["figure"], serde_json::json!(["##.", ".##", ".##"]));
    }
}

#[test]
fn r3_2_only_seats_that_draw_wind_are_tested_in_order_from_the_first_seat() {
    let table = set(dusk(&[WIND, growth(GROWTH), WIND], 3), |state| state.first = seat(1));
    let events = table.when(0, &SKIP).unwrap();
    let tested: Vec<Seat> = events
        .iter()
        .filter_map(|event| match event {
            Event::BalancePassed { seat, .. } | Event::BalanceFailed { seat, .. } => Some(*seat),
            _ => None,
        })
        .collect();
    assert_eq!(tested, [seat(2), seat(0)]);
}

/// The rulebook: 6 on the left, 4 on the right, 4 in the centre: in balance.
#[test]
fn r3_3_six_left_four_right_and_four_in_the_centre_pass() {
    let (events, table) = tested(spread(6, 4, 4), 5);
    let balance = Balance { left: 6, right: 4, centre: 4 };
    assert!(events.contains(&Event::BalancePassed { seat: seat(0), balance }));
    assert_eq!(table.state.plots[0].reserve, 5);
    assert_eq!(table.state.phase, Phase::Selecting { active: seat(0) });
}

#[test]
fn r3_3_a_difference_as_great_as_the_centre_fails_and_costs_nothing() {
    let (events, table) = tested(spread(4, 0, 4), 5);
    let balance = Balance { left: 4, right: 0, centre: 4 };
    assert!(events.contains(&Event::BalanceFailed { seat: seat(0), balance, lost: 0, paid: 0 }));
    assert_eq!(table.state.plots[0].reserve, 5);
    let (events, _) = tested(Sprout::EMPTY, 5);
    assert!(events.iter().any(|event| matches!(event, Event::BalanceFailed { lost: 0, .. })));
}

/// The rulebook: 8 on the left, 4 on the right, 2 in the centre: two segments are lost.
#[test]
fn r3_4_eight_left_four_right_and_two_in_the_centre_lose_two() {
    let (events, table) = tested(spread(8, 4, 2), 5);
    let balance = Balance { left: 8, right: 4, centre: 2 };
    assert!(events.contains(&Event::BalanceFailed { seat: seat(0), balance, lost: 2, paid: 2 }));
    assert_eq!(table.state.plots[0].reserve, 3);
    assert_eq!(table.state.plots[0].sprout, spread(8, 4, 2));
    assert_eq!(table.state.phase, Phase::Selecting { active: seat(0) });
}

#[test]
fn r3_5_what_the_reserve_cannot_pay_is_dropped_from_the_sprout() {
    let (_, table) = tested(spread(8, 4, 2), 1);
    assert_eq!(table.state.plots[0].reserve, 0);
    assert_eq!(table.state.plots[0].debt, 1);
    assert_eq!(Brotando::to_act(&table.state), seats(&[0]));
    assert_eq!(table.legal(0).len(), 7, "any of the segments");
    assert!(table.legal(1).is_empty());

    let mv = |segment| Move::Drop { segment };
    assert_eq!(table.when(0, &mv(Segment::down(1, 0))), Err(Refusal::NoSuchSegment));
    assert_eq!(table.when(0, &mv(Segment::right(99, 99))), Err(Refusal::NoSuchSegment));
    assert_eq!(table.when(1, &mv(Segment::right(1, 0))), Err(Refusal::NothingOwed));
    assert_eq!(table.when(0, &select(0)), Err(Refusal::DropFirst));
    assert_eq!(table.when(1, &select(0)), Err(Refusal::TestsBeingPaid));

    let table = table.play(0, &mv(Segment::right(1, 3)), []);
    assert!(!table.state.plots[0].sprout.contains(Segment::right(1, 3)));
    assert_eq!(table.state.phase, Phase::Selecting { active: seat(0) });
    assert_eq!(table.when(0, &mv(Segment::right(1, 0))), Err(Refusal::NothingOwed));
}

#[test]
fn r3_5_no_seat_loses_more_segments_than_it_has() {
    let (_, table) = tested(spread(4, 0, 0), 0);
    assert_eq!(table.state.plots[0].debt, 4);
    let table = table.play(0, &Move::Drop { segment: Segment::right(1, 0) }, []).play(
        0,
        &Move::Drop { segment: Segment::right(1, 1) },
        [],
    );
    assert!(table.state.plots[0].sprout.is_bare());
    assert_eq!(table.state.plots[0].debt, 0);
    assert_eq!(table.state.phase, Phase::Selecting { active: seat(0) });
}

#[test]
fn r3_5_seats_that_owe_drop_without_waiting_for_one_another() {
    let table = set(dusk(&[WIND, WIND], 3), |state| {
        for plot in &mut state.plots {
            plot.sprout = spread(4, 0, 2);
            plot.reserve = 0;
        }
    });
    let table = table.play(0, &SKIP, []);
    assert_eq!(Brotando::to_act(&table.state), seats(&[0, 1]));
    let epoch = Brotando::epoch(&table.state);
    let drop = |row| Move::Drop { segment: Segment::right(1, row) };
    let table = table.play(1, &drop(0), []);
    assert_eq!(Brotando::epoch(&table.state), epoch);
    let table = table.play(1, &drop(1), []).play(0, &drop(1), []);
    assert_eq!(Brotando::to_act(&table.state), seats(&[0]));
    let table = table.play(0, &drop(0), []);
    assert!(matches!(table.state.phase, Phase::Selecting { .. }));
    assert_ne!(Brotando::epoch(&table.state), epoch);
}

#[test]
fn r3_6_dropping_may_split_the_sprout_and_both_parts_grow() {
    let stem = [Segment::down(7, 11), Segment::down(7, 9), Segment::down(7, 7)];
    let mut split = sprout(&stem);
    split.remove(stem[1]);
    let wind = growing(Card::Wind(Wind::TakeSix), 5, &split.segments());
    assert!(wind.when(0, &grow(&[Segment::right(8, 7)])).is_ok(), "at the loose part");
    assert!(wind.when(0, &grow(&[Segment::right(8, 12)])).is_ok(), "at the rooted part");
    assert!(wind.when(0, &grow(&[stem[1]])).is_ok(), "in between");
}

#[test]
fn r3_6_an_uncovered_sun_stops_paying_and_pays_when_covered_again() {
    // Column 7 of row 9 is yellow; column 4 of row 9 is orange.
    let yellow = Segment::down(7, 9);
    let orange = Segment::right(4, 9);
    let mut table = growing(Card::Wind(Wind::TakeSix), 5, &[Segment::down(7, 11), orange]);
    assert_eq!(table.state.plots[0].reward().orange, 1);
    table.state.plots[0].sprout.remove(orange);
    assert_eq!(table.state.plots[0].reward().orange, 0);
    for _ in 0..2 {
        let covered = table.when(0, &grow(&[yellow])).unwrap();
        let Some(Event::RewardsPaid { rewards }) = covered.get(1) else { panic!("suns pay") };
        assert_eq!(rewards[0].yellow, 2);
        let after = growing(Card::Wind(Wind::TakeSix), 5, &[Segment::down(7, 11)]).and(covered);
        assert!(after.state.plots[0].sprout.contains(yellow));
        table = growing(Card::Wind(Wind::TakeSix), 5, &[Segment::down(7, 11), yellow])
            .and([Event::SegmentDropped { seat: seat(0), segment: yellow }]);
    }
}

#[test]
fn r3_6_crossed_lines_stay_crossed_when_segments_are_dropped() {
    let across = Segment::right(2, 8);
    let table = growing(Card::Wind(Wind::TakeSix), 5, &[Segment::right(4, 8)]);
    let table = table.play(0, &grow(&[across]), []);
    assert_eq!(table.state.plots[0].crossed.iter().count(), 1);
    let table = table.and([Event::SegmentDropped { seat: seat(0), segment: across }]);
    assert_eq!(table.state.plots[0].crossed.iter().count(), 1);
}
