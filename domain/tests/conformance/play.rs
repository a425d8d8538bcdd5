//! Laws about playing: exactly the listed moves are accepted; replay equals live; the same key gives the same match;
//! every match ends, and until then somebody can act.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    games,
    matches::{Command, Match, Status},
    outcome::Ending,
    seat::Seat,
};
use serde_json::{Value, value::RawValue};

use crate::table::{Table, attempt, player, tables};

/// Whether to examine this position closely: only every seventh, so that long games do not take too long.
fn stride(table: &Table) -> bool {
    table.commits.len().is_multiple_of(7)
}

/// Complete move lists longer than this are checked by sample.
const MOST: usize = 3_000;

#[test]
fn exactly_the_listed_moves_are_accepted() {
    for game in games::all() {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for (seats, options) in tables(game) {
            let mut table = Table::open(game, seats, options.as_deref(), 11);
            table.play_out(|table| {
                if !stride(table) {
                    return;
                }
                for seat in Seat::all(seats) {
                    check_position(table, seat, &mut seen);
                }
            });
        }
    }
}

fn check_position(table: &Table, seat: Seat, seen: &mut BTreeSet<String>) {
    let state = table.state();
    let legal: BTreeSet<String> =
        state.legal_moves(seat).take(MOST).map(|mv| mv.get().to_owned()).collect();
    let complete = legal.len() < MOST;
    for mv in legal.iter().take(200) {
        let raw = RawValue::from_string(mv.clone()).unwrap();
        assert_eq!(attempt(state, seat, &raw).as_ref(), Ok(mv), "listed but refused");
    }
    for listed in table.now.listing(seat, domain::text::Lang::En).moves {
        assert!(!complete || legal.contains(listed.mv.get()), "{} is no legal move", listed.mv);
    }
    let variations: BTreeSet<String> = legal.iter().take(40).flat_map(|mv| mutations(mv)).collect();
    for mv in variations.iter().chain(seen.iter()) {
        let raw = RawValue::from_string(mv.clone()).unwrap();
        if let Ok(canonical) = attempt(state, seat, &raw) {
            assert!(
                !complete || legal.contains(&canonical),
                "{canonical} was accepted for seat {seat} but is not listed"
            );
        }
    }
    let room = 400_usize.saturating_sub(seen.len());
    seen.extend(legal.iter().step_by(5).take(room).cloned());
}

/// The same move with one number or list changed.
fn mutations(mv: &str) -> Vec<String> {
    fn vary(value: &Value) -> Vec<Value> {
        match value {
            Value::Number(number) => {
                let number = number.as_i64().unwrap_or_default();
                [number - 1, number + 1, number + 100].into_iter().map(Value::from).collect()
            }
            Value::Bool(flag) => vec![Value::from(!flag)],
            Value::Array(items) => {
                let mut lists = vec![Value::Array(Vec::new())];
                if let Some((_, rest)) = items.split_first() {
                    lists.push(Value::Array(rest.to_vec()));
                    lists.push(Value::Array(items.iter().rev().cloned().collect()));
                }
                for (index, item) in items.iter().enumerate() {
                    lists.extend(vary(item).into_iter().map(|item| {
                        let mut items = items.clone();
                        items[index] = item;
                        Value::Array(items)
                    }));
                }
                lists
            }
            Value::Object(object) => object
                .iter()
                .flat_map(|(key, inner)| {
                    vary(inner).into_iter().map(move |inner| {
                        let mut object = object.clone();
                        object.insert(key.clone(), inner);
                        Value::Object(object)
                    })
                })
                .collect(),
            Value::Null | Value::String(_) => Vec::new(),
        }
    }
    vary(&serde_json::from_str(mv).unwrap()).iter().map(Value::to_string).collect()
}

#[test]
fn replay_equals_live_for_every_viewer_at_every_step() {
    for game in games::all() {
        for (seats, options) in tables(game) {
            let mut table = Table::open(game, seats, options.as_deref(), 23);
            let mut live: BTreeMap<u64, BTreeMap<String, String>> = BTreeMap::new();
            table.play_out(|table| {
                live.insert(table.now.version(), table.views());
            });
            let mut replayed = Match::open(&table.commits[0]).unwrap();
            for commit in &table.commits[1..] {
                replayed.apply(commit).unwrap();
                if let Some(views) = live.get(&replayed.version()) {
                    let state = replayed.state().unwrap();
                    for viewer in domain::seat::Viewer::at_table(seats) {
                        assert_eq!(views[&format!("{viewer:?}")], state.view(viewer).get());
                    }
                }
            }
            assert_eq!(replayed.hash(), table.now.hash());
            assert_eq!(replayed.outcome(), table.now.outcome());
        }
    }
}

#[test]
fn the_same_key_gives_the_same_match_and_the_chain_holds() {
    for game in games::all() {
        let play = |seed| {
            let mut table = Table::open(game, game.info().max_seats, None, seed);
            table.play_out(|_| {});
            table
        };
        let (one, again, other) = (play(5), play(5), play(6));
        assert_eq!(one.now.hash(), again.now.hash());
        assert_ne!(one.now.hash(), other.now.hash());
        let mut previous = Match::ORIGIN;
        for commit in &one.commits {
            assert!(commit.follows(&previous));
            previous = commit.hash;
        }
    }
}

#[test]
fn every_match_ends_and_until_then_somebody_can_act() {
    for game in games::all() {
        for (seats, options) in tables(game) {
            for seed in 0..8 {
                let mut table = Table::open(game, seats, options.as_deref(), seed);
                table.play_out(|table| {
                    for seat in table.now.to_act().iter() {
                        assert!(table.state().legal_moves(seat).next().is_some());
                    }
                });
                let outcome = table.now.outcome().expect("a finished match has an outcome");
                assert_eq!(table.now.status(), Status::Finished);
                assert_eq!(outcome.ending, Ending::Rules);
                assert!(table.now.to_act().is_empty());
            }
        }
    }
}

#[test]
fn while_the_epoch_is_the_same_moves_of_others_change_nothing_for_a_seat() {
    for game in games::all() {
        for (seats, options) in tables(game) {
            let mut table = Table::open(game, seats, options.as_deref(), 31);
            let moves = |table: &Table, seat| -> Vec<String> {
                let moves = table.now.listing(seat, domain::text::Lang::En).moves;
                moves.iter().map(|listed| listed.mv.get().to_owned()).collect()
            };
            while !table.is_over() {
                let (epoch, version) = (table.state().epoch(), table.now.version());
                let before: Vec<_> = Seat::all(seats).map(|seat| moves(&table, seat)).collect();
                let (acting, mv) = table.random_choice();
                table.play(acting, mv);
                let others = Seat::all(seats).filter(|seat| *seat != acting);
                if !table.is_over() && table.state().epoch() == epoch {
                    for seat in others {
                        assert_eq!(before[seat.index()], moves(&table, seat));
                        assert!(table.now.is_current(seat, version));
                    }
                    assert!(!table.now.is_current(acting, version));
                } else {
                    assert!(Seat::all(seats).all(|seat| !table.now.is_current(seat, version)));
                }
            }
        }
    }
}

#[test]
fn a_resigned_seat_is_played_on_and_cannot_win() {
    for game in games::all().filter(|game| game.info().max_seats >= 3) {
        for seed in 0..6 {
            let seats = game.info().max_seats;
            let quitter = Seat::new(u8::try_from(seed % 3).unwrap()).unwrap();
            let mut table = Table::open(game, seats, None, seed);
            for _ in 0..seed * 5 {
                if !table.is_over() {
                    table.step();
                }
            }
            if table.is_over() {
                continue;
            }
            table.command(&Command::Resign { player: player(quitter) });
            table.play_out(|table| assert!(!table.now.to_act().contains(quitter)));
            let outcome = table.now.outcome().expect("a finished match has an outcome");
            assert!(!outcome.seats[quitter.index()].won);
            assert_eq!(outcome.seats[quitter.index()].place, seats);
            assert!(outcome.seats.iter().any(|standing| standing.won));
        }
    }
}
