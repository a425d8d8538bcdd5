//! The score counted a second time, only from what a spectator is shown at the end.

use serde_json::Value;

use super::*;
use crate::{
    chance::{Chance, Keyed, Seed},
    game::Context,
    outcome::Standing,
    seat::Viewer,
    time::Timestamp,
};

/// A match played at random, every way of crossing included.
fn play_out(seats: u8, seed: u8) -> Given<Trama> {
    let mut luck = Keyed::new(Seed::from([seed; 32]).match_key(uuid::Uuid::nil(), &[]), 0);
    let chance: &mut dyn Chance = &mut luck;
    let at = Timestamp::default();
    let mut table = given::<Trama>(seats, []);
    let events = Trama::setup(&table.state, &mut Context { chance, at });
    table = table.and(events);
    while !Trama::finished(&table.state) {
        let waiting: Vec<Seat> = Trama::to_act(&table.state).iter().collect();
        let seat = chance.pick(&waiting);
        let listed = Trama::listing(&table.state, seat).moves;
        let mut mv = listed[chance.index(listed.len())].mv;
        if let Move::Weave { axis, over, .. } = &mut mv {
            let crossed = table.state.areas[seat.index()].loom.crossed(*axis);
            *over = crossed.iter().filter(|_| chance.below(2) == 0).collect();
        }
        let events = Trama::decide(&table.state, seat, &mv, &mut Context { chance, at }).unwrap();
        table = table.and(events);
    }
    table
}

/// The colours of an axis in the view, `-` where there is no cord.
fn axis(place: &Value, name: &str) -> Vec<String> {
    let cords = place["loom"][name].as_array().unwrap();
    cords.iter().map(|cord| cord["colour"].as_str().unwrap_or("-").to_owned()).collect()
}

/// How often a place shows a pattern, found by looking from every cord of colour B.
fn occurrences(place: &Value, pattern: &Value) -> i64 {
    let (a, b) = (pattern["a"].as_str().unwrap(), pattern["b"].as_str().unwrap());
    let mut found = 0;
    for (name, other) in [("vertical", "horizontal"), ("horizontal", "vertical")] {
        let (own, crossing) = (axis(place, name), axis(place, other));
        for at in (0..8).filter(|at| own[*at] == b) {
            if pattern["kind"] == "adjacent" {
                found += i64::from(at > 0 && own[at - 1] == a);
                found += i64::from(at < 7 && own[at + 1] == a);
            } else if at < 7 && own[at + 1] == b {
                for passing in (0..8).filter(|passing| crossing[*passing] == a) {
                    let covered = |slot: usize| {
                        let under = place["loom"][name][slot]["under"].as_array().unwrap();
                        under.contains(&passing.into())
                    };
                    found += i64::from(covered(at) ^ covered(at + 1));
                }
            }
        }
    }
    found
}

fn recount(view: &Value, seat: usize) -> Vec<(&'static str, i64)> {
    let place = &view["places"][seat];
    let cards = view["cards"].as_array().unwrap();
    let mut lines = Vec::new();
    for (kind, ids) in [
        ("adjacent", ["adjacent_1", "adjacent_2"]),
        ("interlaced", ["interlaced_1", "interlaced_2"]),
    ] {
        let buttons = place["buttons"].as_array().unwrap().iter();
        let patterns: Vec<&Value> = buttons
            .map(|button| cards.iter().find(|card| card["id"] == button["card"]).unwrap())
            .inspect(|card| assert!(card["seats"].as_array().unwrap().contains(&seat.into())))
            .map(|card| &card["pattern"])
            .filter(|pattern| pattern["kind"] == kind)
            .collect();
        assert_eq!(patterns.len(), 2, "two buttons of each shape");
        lines.extend(
            ids.into_iter().zip(patterns.iter().map(|pattern| occurrences(place, pattern))),
        );
    }
    let met = ["adjacent", "interlaced"]
        .iter()
        .all(|kind| occurrences(place, &view["objective"][*kind]) > 0);
    lines.push(("objective", if met { 5 } else { 0 }));
    let mut penalty = 0_usize;
    for name in ["vertical", "horizontal"] {
        let mut colours = axis(place, name);
        assert!(!colours.contains(&"-".to_owned()), "the loom is complete");
        colours.sort();
        penalty +=
            colours.chunk_by(|a, b| a == b).map(|same| same.iter().skip(3).count()).sum::<usize>();
    }
    lines.push(("penalty", -i64::try_from(penalty).unwrap()));
    lines
}

fn check_crossings(place: &Value) {
    for vertical in 0..8_usize {
        for horizontal in 0..8_usize {
            let says = |axis: &str, slot: usize, how: &str, other: usize| {
                place["loom"][axis][slot][how].as_array().unwrap().contains(&other.into())
            };
            let over = says("vertical", vertical, "over", horizontal);
            assert_eq!(over, !says("vertical", vertical, "under", horizontal));
            assert_eq!(over, says("horizontal", horizontal, "under", vertical));
            assert_eq!(over, !says("horizontal", horizontal, "over", vertical));
        }
    }
}

#[test]
fn r6_a_second_count_from_the_public_view_agrees_with_the_outcome() {
    let (mut objectives, mut penalties, mut interlaced) = (0, 0, 0);
    for seats in 2..=5 {
        for seed in 0..25 {
            let table = play_out(seats, seed);
            let view = shown(&table, Viewer::Spectator);
            let left: u64 =
                view["bag"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
            assert_eq!(left, 100 - 4 * 5 * u64::from(seats));
            let standings: Vec<Standing> = Trama::standings(&table.state).seats;
            for (index, standing) in standings.iter().enumerate() {
                check_crossings(&view["places"][index]);
                let mine = recount(&view, index);
                let theirs: Vec<(&str, i64)> =
                    standing.breakdown.iter().map(|line| (&*line.id, line.points)).collect();
                assert_eq!(mine, theirs, "seat {index} of {seats}, seed {seed}");
                let total: i64 = mine.iter().map(|(_, points)| points).sum();
                assert_eq!(standing.score, Some(total));
                assert_eq!(view["places"][index]["score"], total);
                interlaced += mine[2].1 + mine[3].1;
                objectives += mine[4].1;
                penalties += mine[5].1;
            }
        }
    }
    assert!(objectives > 0 && penalties < 0 && interlaced > 0, "everything came up");
}
