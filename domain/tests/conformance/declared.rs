//! Laws about what a game declares: texts, measures, score lines, refusals, schemas.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    game::Refusal,
    games,
    matches::{self, Commit, Event, MatchRefusal, Replay},
    outcome::{MeasureValue, Measured, Scope, Unit},
    seat::{Seat, Viewer},
};
use serde_json::Value;

use crate::table::{Table, tables};

#[test]
fn keys_names_and_rules_exist_in_both_languages() {
    let mut keys = BTreeSet::new();
    for game in games::all() {
        let info = game.info();
        assert!(keys.insert(info.key), "{} is registered twice", info.key);
        assert!(info.min_seats >= 1 && info.min_seats <= info.max_seats);
        assert!(info.max_seats <= Seat::MAX);
        for text in [info.name, info.summary, info.rules] {
            assert!(!text.en.trim().is_empty() && !text.es.trim().is_empty());
        }
        assert_eq!(numbers(info.rules.en), numbers(info.rules.es), "rules of {}", info.key);
    }
}

#[test]
fn the_rules_of_every_match_are_numbered_alike_in_both_languages() {
    let numbers = |rules: &'static str| -> Vec<&str> {
        let bold = rules.split("**").skip(1).step_by(2);
        bold.filter(|part| part.starts_with('M')).collect()
    };
    let expected: Vec<String> = (1..=14).map(|number| format!("M{number}")).collect();
    assert_eq!(numbers(matches::RULES.en), expected);
    assert_eq!(numbers(matches::RULES.es), expected);
    for refusal in MatchRefusal::ALL {
        assert!(expected.iter().any(|number| number == refusal.info().rule), "{refusal:?}");
    }
}

/// The numbered rules of a text, in order.
fn numbers(rules: &str) -> Vec<&str> {
    rules.split("**").filter(|part| part.starts_with('R') && part.len() < 8).collect()
}

#[test]
fn refusals_have_unique_codes_and_name_existing_rules() {
    for game in games::all() {
        let mut codes = BTreeSet::new();
        for refusal in game.refusals() {
            let name = format!("{}.{}", game.info().key, refusal.code);
            assert!(codes.insert(refusal.code), "{name} stands for two refusals");
            assert!(!refusal.text.en.is_empty() && !refusal.text.es.is_empty(), "{name}");
            assert_ne!(refusal.text.en, refusal.text.es, "{name} is not translated");
            assert!(
                numbers(game.info().rules.en).contains(&refusal.rule),
                "{name} names {}, which RULES.md does not have",
                refusal.rule
            );
        }
    }
}

#[test]
fn score_lines_add_up_and_measures_are_declared() {
    for game in games::all() {
        let info = game.info();
        let lines: BTreeSet<&str> = info.score_lines.iter().map(|line| line.id).collect();
        assert_eq!(lines.len(), info.score_lines.len(), "score lines of {}", info.key);
        for (seats, options) in tables(game) {
            let mut table = Table::open(game, seats, options.as_deref(), 3);
            table.play_out(|_| {});
            let outcome = table.now.outcome().expect("a finished match has an outcome");
            assert_eq!(outcome.seats.len(), usize::from(seats));
            check_measures(game.info().measures, Scope::Match, &outcome.measures);
            for standing in &outcome.seats {
                check_measures(game.info().measures, Scope::Seat, &standing.measures);
                assert!(standing.breakdown.iter().all(|line| lines.contains(&*line.id)));
                let sum: i64 = standing.breakdown.iter().map(|line| line.points).sum();
                assert_eq!(standing.score.unwrap_or(sum), sum);
                assert!(standing.place >= 1 && standing.place <= seats);
            }
            if seats > 1 {
                assert!(outcome.seats.iter().all(|seat| seat.won == (seat.place == 1)));
                assert!(outcome.seats.iter().any(|seat| seat.won));
            }
        }
    }
}

fn check_measures(declared: &[domain::outcome::MeasureInfo], scope: Scope, found: &[Measured]) {
    let declared: BTreeMap<&str, Unit> = declared
        .iter()
        .filter(|measure| measure.scope == scope)
        .map(|measure| (measure.id, measure.unit))
        .collect();
    let ids: Vec<&str> = found.iter().map(|measured| &*measured.id).collect();
    assert_eq!(ids.iter().copied().collect::<BTreeSet<_>>(), declared.keys().copied().collect());
    for measured in found {
        match (&measured.value, declared[&*measured.id]) {
            (MeasureValue::Number(_), Unit::Count | Unit::Points | Unit::Milliseconds) => {}
            (MeasureValue::Category(id), Unit::Category(all)) => {
                assert!(all.iter().any(|(known, _)| known == id), "{id} is not declared");
            }
            (value, unit) => panic!("{} is {unit:?} but was {value:?}", measured.id),
        }
    }
}

#[test]
fn moves_views_and_events_match_the_published_schemas() {
    for game in games::all() {
        let schemas = game.schemas();
        let validator = |schema: Value| jsonschema::validator_for(&schema).expect("a JSON Schema");
        let moves = validator(schemas.mv.standalone());
        let views = validator(schemas.view.standalone());
        let events = validator(schemas.event.standalone());
        let check = |validator: &jsonschema::Validator, json: &str| {
            let value: Value = serde_json::from_str(json).unwrap();
            let errors: Vec<String> = validator
                .iter_errors(&value)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert!(errors.is_empty(), "{}: {errors:#?} in {json}", game.info().key);
        };
        for (seats, options) in tables(game) {
            let mut table = Table::open(game, seats, options.as_deref(), 17);
            table.play_out(|table| {
                if !table.commits.len().is_multiple_of(5) {
                    return;
                }
                for viewer in Viewer::at_table(seats) {
                    check(&views, table.state().view(viewer).get());
                }
                for seat in table.now.to_act().iter() {
                    for mv in table.state().legal_moves(seat).take(30) {
                        check(&moves, mv.get());
                    }
                }
            });
            check(&views, table.state().view(Viewer::Archive).get());
            // Replays and frames also show the match between the events of one command.
            let mut replay = Replay::after(&table.commits, 0).unwrap();
            let ends: BTreeSet<u64> = table.commits.iter().map(Commit::version).collect();
            while let Some(step) = replay.step().unwrap() {
                if ends.contains(&step.game_match.version()) {
                    continue;
                }
                for viewer in [Viewer::Spectator, Viewer::Archive] {
                    if let Some(view) = step.game_match.view(viewer) {
                        check(&views, view.get());
                    }
                }
            }
            for event in table.events.iter().filter_map(Event::game_event) {
                for viewer in Viewer::at_table(seats).chain([Viewer::Archive]) {
                    check(&events, event.view(viewer).get());
                }
            }
        }
    }
}
