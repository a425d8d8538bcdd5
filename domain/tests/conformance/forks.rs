//! Laws about commits: deciding a recorded command again leads to the same commit, and a fork continues another match
//! from any version.

use domain::{
    games,
    matches::{Commit, Fork, Match, Status},
    seat::Viewer,
};
use serde_json::Value;

use crate::table::{Table, tables};

/// Checks that deciding every command again leads to the same commits.
#[track_caller]
pub fn decided_again(commits: &[Commit]) {
    let mut before: Option<Match> = None;
    for commit in commits {
        let decision = commit.decide_again(before.as_ref()).unwrap().unwrap();
        let (next, _, again) = decision.into_commit(commit.command_id);
        assert_eq!(&again, commit);
        before = Some(next);
    }
}

/// What a viewer sees, apart from the clock of the game: in a fork it starts at zero.
fn view(m: &Match, viewer: Viewer) -> Value {
    let mut view: Value = serde_json::from_str(m.view(viewer).unwrap().get()).unwrap();
    if let Some(clock) = view.get_mut("elapsed_ms") {
        *clock = Value::Null;
    }
    view
}

#[test]
fn every_recorded_command_leads_to_the_same_commit_again() {
    for game in games::all() {
        for (seats, options) in tables(game) {
            let mut table = Table::open(game, seats, options.as_deref(), 61);
            table.play_out(|_| {});
            decided_again(&table.commits);
        }
    }
}

#[test]
fn a_fork_continues_from_the_state_of_the_other_match_and_ends() {
    for game in games::all() {
        for (seats, options) in tables(game) {
            let mut first = Table::open(game, seats, options.as_deref(), 67);
            first.play_out(|_| {});
            let last = first.commits.len() - 1;
            for at in [last, last / 2, usize::from(seats)] {
                let version = first.commits[at.min(last)].seq;
                let Some(then) = Match::as_of(&first.commits, version).unwrap() else { continue };
                let fork = Fork::at(&first.commits, version).unwrap().unwrap();
                let mut second = Table::fork(&first, fork, 71);
                assert_eq!(second.now.status(), Status::Playing);
                for viewer in Viewer::at_table(seats).chain([Viewer::Archive]) {
                    let (one, two) = (view(&then, viewer), view(&second.now, viewer));
                    assert_eq!(one, two, "{viewer:?} at {version}");
                }
                assert_eq!(then.to_act(), second.now.to_act());
                second.play_out(|_| {});
                decided_again(&second.commits);
                // A fork of the fork has the past of both.
                let middle = second.commits[second.commits.len() - 1].seq;
                let then = Match::as_of(&second.commits, middle).unwrap().unwrap();
                let fork = Fork::at(&second.commits, middle).unwrap().unwrap();
                let third = Table::fork(&second, fork, 73);
                assert_eq!(view(&then, Viewer::Archive), view(&third.now, Viewer::Archive));
            }
        }
    }
}
