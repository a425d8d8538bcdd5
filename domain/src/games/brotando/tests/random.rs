//! Random matches in which seats also play out of turn: scores can be recomputed, and nothing hidden leaks.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{setup::picture, *};
use crate::{
    chance::{Chance, Keyed, Seed},
    game::Context,
    outcome::MeasureValue,
    time::Timestamp,
};

fn luck(seed: u64) -> Keyed {
    let mut bytes = [3; 32];
    bytes[..8].copy_from_slice(&seed.to_be_bytes());
    Keyed::new(Seed::from(bytes).match_key(uuid::Uuid::nil(), &[]), 0)
}

/// Plays a match at random; `look` is called with the log and the state before every move.
fn play_out(count: u8, seed: u64, mut look: impl FnMut(&[Event], &State)) -> (Vec<Event>, State) {
    let mut luck = luck(seed);
    let chance: &mut dyn Chance = &mut luck;
    let mut state = opened::<Brotando>(count);
    let mut log = Vec::new();
    let take = |state: &mut State, log: &mut Vec<Event>, events: Vec<Event>| {
        for event in events {
            Brotando::evolve(state, &event, Timestamp::default());
            log.push(event);
        }
    };
    let events = Brotando::setup(&state, &mut Context { chance, at: Timestamp::default() });
    take(&mut state, &mut log, events);
    while !Brotando::finished(&state) {
        look(&log, &state);
        let able: Vec<(Seat, Vec<Move>)> = Seat::all(count)
            .map(|seat| (seat, Brotando::legal_moves(&state, seat).collect()))
            .filter(|(_, moves): &(Seat, Vec<Move>)| !moves.is_empty())
            .collect();
        let (seat, moves) = &able[chance.index(able.len())];
        let mv = &moves[chance.index(moves.len())];
        let mut cx = Context { chance, at: Timestamp::default() };
        let events = Brotando::decide(&state, *seat, mv, &mut cx).expect("what is listed is legal");
        take(&mut state, &mut log, events);
    }
    (log, state)
}

/// The squares of a segment as clients read them.
fn squares(segment: &Value) -> [(u64, u64); 2] {
    let (column, row) = (segment["column"].as_u64().unwrap(), segment["row"].as_u64().unwrap());
    match segment["direction"].as_str().unwrap() {
        "right" => [(column, row), (column + 1, row)],
        _ => [(column, row), (column, row + 1)],
    }
}

/// The score of a seat, only from what everybody sees at the end and the picture in RULES.md.
fn recomputed(seat: &Value) -> i64 {
    let list = |name: &str| seat[name].as_array().unwrap().clone();
    let covered: Vec<(u64, u64)> = list("segments").iter().flat_map(squares).collect();
    let yellow = covered
        .iter()
        .filter(|(column, row)| {
            let (column, row) = (usize::try_from(*column).unwrap(), usize::try_from(*row).unwrap());
            picture()[row].as_bytes()[column] == b'Y'
        })
        .count();
    let mut costs: Vec<i64> =
        list("crossed").iter().map(|line| if line["colour"] == "blue" { 5 } else { 3 }).collect();
    costs.sort_unstable();
    let mut score = seat["reserve"].as_i64().unwrap() + i64::try_from(covered.len()).unwrap();
    for wind in list("winds") {
        match wind.as_str().unwrap() {
            "score_yellow" => score += 2 * i64::try_from(yellow).unwrap(),
            "ignore_line" => drop(costs.pop()),
            "take_six" => score += 6,
            _ => {}
        }
    }
    score - costs.iter().sum::<i64>()
}

#[test]
fn the_score_can_be_recomputed_from_what_everybody_sees_at_the_end() {
    for seed in 0..60 {
        let count = u8::try_from(2 + seed % 5).unwrap();
        let (_, state) = play_out(count, seed, |_, _| {});
        let view = serde_json::to_value(Brotando::view(&state, Viewer::Spectator)).unwrap();
        for (standing, seat) in
            Brotando::standings(&state).seats.iter().zip(view["seats"].as_array().unwrap())
        {
            assert_eq!(standing.score, Some(recomputed(seat)), "seed {seed}");
            assert_eq!(standing.score, seat["score"].as_i64());
        }
    }
}

/// Where every segment came from and went to.
#[test]
fn every_segment_is_accounted_for() {
    for seed in 100..140 {
        let count = u8::try_from(2 + seed % 5).unwrap();
        let (_, state) = play_out(count, seed, |_, _| {});
        for (plot, standing) in state.plots.iter().zip(Brotando::standings(&state).seats) {
            let measured: BTreeMap<String, i64> = standing
                .measures
                .iter()
                .map(|measured| match measured.value {
                    MeasureValue::Number(number) => (measured.id.to_string(), number),
                    MeasureValue::Category(_) => panic!("only numbers are declared"),
                })
                .collect();
            let of = |id: &str| measured[id];
            let came = 10
                + of("income_yellow")
                + of("income_red")
                + of("income_orange")
                + 6 * (of("used_take_six") - i64::try_from(plot.held(Wind::TakeSix)).unwrap())
                + 4 * of("used_balance_four")
                + of("price_received");
            let went = of("price_paid") + of("segments_lost");
            let there = i64::from(plot.reserve) + of("squares_covered") / 2;
            assert_eq!(came - went, there, "seed {seed}");
            assert_eq!(
                usize::try_from(of("squares_covered")).unwrap(),
                2 * plot.sprout.segments().len()
            );
        }
    }
}

/// In the conformance laws, seats move only in turn; here, winds are played at any time.
#[test]
fn plays_out_of_turn_reveal_nothing_hidden() {
    let (mut changed, mut arranged) = (0, 0);
    for seed in 200..212 {
        let count = u8::try_from(2 + seed % 5).unwrap();
        let mut other_luck = luck(seed + 1_000);
        let mut steps = 0;
        play_out(count, seed, |log, state| {
            steps += 1;
            if steps % 4 != 0 {
                return;
            }
            for viewer in Viewer::at_table(count) {
                let start = opened::<Brotando>(count);
                let other = Brotando::redeal(&start, log, viewer, &mut other_luck).unwrap();
                changed += usize::from(other != log);
                arranged += log
                    .iter()
                    .zip(&other)
                    .filter(|(one, two)| one != two && matches!(one, Event::DeckArranged { .. }))
                    .count();
                let mut replayed = opened::<Brotando>(count);
                for (event, other) in log.iter().zip(&other) {
                    assert_eq!(told(event, viewer), told(other, viewer));
                    Brotando::evolve(&mut replayed, other, Timestamp::default());
                }
                let json = |state| serde_json::to_string(&Brotando::view(state, viewer)).unwrap();
                assert_eq!(json(state), json(&replayed));
                if let Viewer::Seat(seat) = viewer {
                    let moves: Vec<Move> = Brotando::legal_moves(state, seat).collect();
                    assert_eq!(moves, Brotando::legal_moves(&replayed, seat).collect::<Vec<_>>());
                }
            }
        });
    }
    assert!(changed > 100 && arranged > 100);
}

#[test]
fn every_kind_of_event_and_every_playable_wind_comes_up() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 300..420 {
        let (log, _) = play_out(u8::try_from(2 + seed % 5).unwrap(), seed, |_, _| {});
        for event in log {
            let json = serde_json::to_value(&event).unwrap();
            let wind = json.get("wind").and_then(Value::as_str).unwrap_or_default();
            *kinds.entry(format!("{} {wind}", json["type"].as_str().unwrap())).or_default() += 1;
        }
    }
    assert_eq!(kinds.len(), 20 + 4, "{kinds:#?}");
}

/// Many matches are kept in memory at once.
#[test]
fn a_live_match_is_small() {
    let mut most = 0;
    for seed in 500..505 {
        play_out(6, seed, |_, state| {
            let plots = state.plots.iter().map(|plot| {
                plot.deck.capacity() * size_of::<Card>()
                    + plot.hand.capacity() * size_of::<HeldWind>()
            });
            let inside = state.plots.capacity() * size_of_val(&state.plots[0])
                + state.centre.capacity() * size_of::<Option<Card>>();
            most = most.max(size_of::<State>() + inside + plots.sum::<usize>());
        });
    }
    assert!(most < 2_048, "{most} bytes");
}
