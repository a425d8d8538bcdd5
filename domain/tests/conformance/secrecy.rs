//! The secrecy law: redeal what a viewer cannot know, and not one byte of what that viewer gets may change.

use domain::{
    chance::Chance,
    erased::{AnyState, GameEvent},
    game::{Context, Nature},
    games,
    matches::Event,
    seat::{Seat, Viewer},
    text::Lang,
    time::Timestamp,
};
use serde_json::value::RawValue;

use crate::table::{Table, attempt, luck, tables};

#[test]
fn nothing_that_a_viewer_gets_depends_on_what_it_cannot_know() {
    for game in games::all() {
        let mut worlds = 0_usize;
        let mut hidden = false;
        for (seats, options) in tables(game) {
            let mut table = Table::open(game, seats, options.as_deref(), 43);
            let mut chance = luck(u64::from(seats));
            table.play_out(|table| {
                if !table.commits.len().is_multiple_of(3) {
                    return;
                }
                for viewer in Viewer::at_table(seats) {
                    hidden |= check(table, viewer, &mut chance);
                    worlds += 1;
                }
            });
        }
        assert!(worlds > 0);
        // If nothing was redealt, the test would prove nothing.
        assert!(hidden, "{}: nothing was ever redealt", game.info().key);
    }
}

#[test]
fn another_history_depends_only_on_what_the_viewer_knows() {
    for game in games::all() {
        for (seats, options) in tables(game) {
            let mut table = Table::open(game, seats, options.as_deref(), 44);
            let (mut one, mut two) = (luck(1), luck(2));
            table.play_out(|table| {
                if !table.commits.len().is_multiple_of(5) {
                    return;
                }
                for viewer in Viewer::at_table(seats) {
                    let (start, log) = (opened(table), game_events(table));
                    let Some(other) = game.redeal(start.as_ref(), &log, viewer, &mut one) else {
                        continue;
                    };
                    let other: Vec<&GameEvent> = other.iter().collect();
                    let seed = u64::from((&mut two as &mut dyn Chance).below(1000));
                    let again = |log: &[&GameEvent]| {
                        let dealt = game.redeal(start.as_ref(), log, viewer, &mut luck(seed));
                        dealt.map(|log| encoded(&log))
                    };
                    assert_eq!(again(&log), again(&other), "{} {viewer:?}", game.info().key);
                }
            });
        }
    }
}

fn encoded(log: &[GameEvent]) -> Vec<String> {
    log.iter().map(|event| event.encode().get().to_owned()).collect()
}

fn opened(table: &Table) -> Box<dyn AnyState> {
    let m = &table.now;
    m.game().open(m.seat_count(), m.options(), m.rules_version()).unwrap()
}

fn game_events(table: &Table) -> Vec<&GameEvent> {
    table.events.iter().filter_map(Event::game_event).collect()
}

/// Compares this history with another one that the viewer cannot tell from it, and returns whether they differ at all.
fn check(table: &Table, viewer: Viewer, chance: &mut dyn Chance) -> bool {
    let game = table.now.game();
    let (start, log) = (opened(table), game_events(table));
    let Some(other_log) = game.redeal(start.as_ref(), &log, viewer, chance) else { return false };
    assert_eq!(log.len(), other_log.len());

    let mut other = start;
    for (event, other_event) in log.iter().zip(&other_log) {
        assert_eq!(event.view(viewer).get(), other_event.view(viewer).get(), "{viewer:?}");
        for lang in Lang::ALL {
            assert_eq!(event.tell(viewer, lang), other_event.tell(viewer, lang));
        }
        assert_eq!(event.nature(), other_event.nature());
    }
    // Some games depend on times, so these are the same as in the real history.
    let mut times = Vec::with_capacity(log.len());
    for commit in &table.commits {
        let recorded = commit.read(Some(game)).unwrap();
        times.extend(recorded.events.iter().filter_map(Event::game_event).map(|_| commit.at));
    }
    for (event, at) in other_log.iter().zip(times) {
        other.evolve(event, at);
    }

    let state = table.state();
    assert_eq!(state.view(viewer).get(), other.view(viewer).get(), "view of {viewer:?}");
    assert_eq!(state.to_act(), other.to_act());
    assert_eq!(state.epoch(), other.epoch());
    assert_eq!(state.finished(), other.finished());
    if let Viewer::Seat(seat) = viewer {
        compare_moves(state, other.as_ref(), seat);
    }
    log.iter().zip(&other_log).any(|(one, two)| one.encode().get() != two.encode().get())
}

/// A seat's legal moves, refusals and dry runs.
fn compare_moves(state: &dyn AnyState, other: &dyn AnyState, seat: Seat) {
    let listing = |state: &dyn AnyState| -> Vec<(String, String)> {
        let moves = state.listing(seat, Lang::Es).moves;
        moves.into_iter().map(|listed| (listed.mv.get().to_owned(), listed.label)).collect()
    };
    let moves = listing(state);
    assert_eq!(moves, listing(other), "legal moves of seat {seat}");
    let automatic = |state: &dyn AnyState| {
        state.random_move(seat, &mut luck(5)).map(|mv| mv.encode().get().to_owned())
    };
    assert_eq!(automatic(state), automatic(other), "what seat {seat} would do automatically");
    for (mv, _) in moves.iter().take(30) {
        let raw = RawValue::from_string(mv.clone()).unwrap();
        assert_eq!(attempt(state, seat, &raw), attempt(other, seat, &raw));
        assert_eq!(foreseen(state, seat, &raw), foreseen(other, seat, &raw), "{mv}");
    }
    // The moves of all seats, tried by this seat: most are refused, for the same reason in both worlds.
    for rival in state.to_act().iter() {
        for mv in state.legal_moves(rival).take(10) {
            if rival != seat && !moves.iter().any(|(mine, _)| mine == mv.get()) {
                assert_eq!(attempt(state, seat, &mv), attempt(other, seat, &mv));
            }
        }
    }
}

/// The result of a dry run: `None` if it would draw luck or reveal something hidden.
fn foreseen(state: &dyn AnyState, seat: Seat, mv: &RawValue) -> Option<Vec<String>> {
    let mut chance = luck(1);
    let mut cx = Context { chance: &mut chance, at: Timestamp::from_micros(9_000_000_000) };
    let events = state.decide(seat, &state.read_move(mv).ok()?, &mut cx).ok()?;
    let choice = events.iter().all(|event| event.nature() == Nature::Choice);
    let view = |event: &GameEvent| event.view(Viewer::Seat(seat)).get().to_owned();
    choice.then(|| events.iter().map(view).collect())
}
