//! Golden files, one match per game.
//!
//! `logs/<game>.v<N>.jsonl` holds commits as they were stored: they have to decode and fold for ever, so an existing file
//! is never rewritten. `playthroughs/<game>.txt` shows what every viewer saw of that match; after an intended change,
//! rewrite it with `TELAR_BLESS=1 cargo test -p domain --test conformance` and read the difference.

use std::{fmt::Write as _, fs, path::PathBuf};

use domain::{
    erased::AnyGame,
    games,
    matches::{Commit, Match},
    seat::Viewer,
    text::Lang,
    time::Timestamp,
};
use serde_json::{Value, json};

use crate::table::Table;

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn bless() -> bool {
    std::env::var_os("TELAR_BLESS").is_some()
}

#[test]
fn stored_events_decode_for_ever() {
    for game in games::all() {
        let info = game.info();
        for version in 1..=info.rules_version {
            let commits = log(game, version);
            let table = Match::fold(&commits).unwrap().unwrap();
            assert!(table.outcome().is_some(), "{} v{version} folds to its end", info.key);
            let mut previous = Match::ORIGIN;
            for commit in &commits {
                assert!(commit.follows(&previous), "{} v{version}: the chain is broken", info.key);
                previous = commit.hash;
            }
        }
    }
}

/// A match is played, and can be verified, by the rules under which it was created, whatever the current ones are.
#[test]
fn old_matches_are_decided_by_their_own_rules() {
    for game in games::all() {
        let info = game.info();
        for version in 1..=info.rules_version {
            let mut before: Option<Match> = None;
            for commit in log(game, version) {
                let decided = commit.decide_again(before.as_ref()).unwrap();
                let decided = decided.unwrap_or_else(|refused| {
                    panic!("{} v{version}, {}: {refused:?}", info.key, commit.seq)
                });
                let (next, _, again) = decided.into_commit(commit.command_id);
                assert_eq!(again.payload, commit.payload, "{} v{version}", info.key);
                assert_eq!(again.hash, commit.hash, "{} v{version}", info.key);
                assert_eq!(next.rules_version(), version);
                before = Some(next);
            }
        }
    }
}

#[test]
fn every_viewer_saw_what_the_playthrough_says() {
    for game in games::all() {
        let info = game.info();
        let shown = show(&log(game, info.rules_version));
        let file = folder("playthroughs").join(format!("{}.txt", info.key));
        if bless() {
            fs::write(&file, &shown).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        for (line, (new, old)) in shown.lines().zip(expected.lines()).enumerate() {
            assert_eq!(new, old, "{}:{}", file.display(), line + 1);
        }
        assert_eq!(shown.lines().count(), expected.lines().count(), "{}", file.display());
    }
}

/// The recorded match of a game under one version of its rules.
fn log(game: &'static dyn AnyGame, version: u16) -> Vec<Commit> {
    let file = folder("logs").join(format!("{}.v{version}.jsonl", game.info().key));
    if bless() && version == game.info().rules_version && !file.exists() {
        fs::write(&file, record(game)).unwrap();
    }
    read(&fs::read_to_string(&file).unwrap_or_else(|error| {
        panic!("{}: {error}; record it with TELAR_BLESS=1", file.display())
    }))
}

fn record(game: &'static dyn AnyGame) -> String {
    let mut table = Table::open(game, game.info().min_seats, None, 2026);
    table.play_out(|_| {});
    table.commits.iter().fold(String::new(), |mut text, commit| {
        let row = json!({
            "match_id": commit.match_id, "seq": commit.seq, "count": commit.count,
            "at": commit.at.micros(), "player": commit.player, "command_id": commit.command_id,
            "payload": commit.payload, "hash": hex::encode(commit.hash),
        });
        let _ = writeln!(text, "{row}");
        text
    })
}

fn read(text: &str) -> Vec<Commit> {
    text.lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let id = |name: &str| row[name].as_str().unwrap().parse().unwrap();
            Commit {
                match_id: id("match_id"),
                seq: row["seq"].as_u64().unwrap(),
                count: u32::try_from(row["count"].as_u64().unwrap()).unwrap(),
                at: Timestamp::from_micros(row["at"].as_i64().unwrap()),
                player: id("player"),
                command_id: id("command_id"),
                payload: row["payload"].as_str().unwrap().to_owned(),
                hash: hex::decode(row["hash"].as_str().unwrap()).unwrap().try_into().unwrap(),
            }
        })
        .collect()
}

/// The match as a text: every command, followed by the events and the view of each viewer.
fn show(commits: &[Commit]) -> String {
    let mut text = String::new();
    let mut table = Match::open(&commits[0]).unwrap();
    for (index, commit) in commits.iter().enumerate() {
        let recorded =
            if index == 0 { commit.read(None).unwrap() } else { table.apply(commit).unwrap() };
        let _ = writeln!(text, "\n## {} {}", commit.seq, recorded.command);
        for event in &recorded.events {
            let public = event.view(Viewer::Spectator).get().to_owned();
            let _ = writeln!(text, "{public}");
            for lang in Lang::ALL {
                let _ = writeln!(text, "    {}", event.tell(Viewer::Spectator, lang));
            }
            for viewer in Viewer::at_table(table.seat_count()) {
                let own = event.view(viewer);
                if own.get() != public {
                    let _ = writeln!(text, "    {viewer:?}: {own}");
                }
            }
        }
        let Some(state) = table.state() else { continue };
        let public = state.view(Viewer::Spectator).get().to_owned();
        let _ = writeln!(text, "view {public}");
        // The archive is shown only when the match is over.
        let archive = table.status().is_over().then_some(Viewer::Archive);
        for viewer in Viewer::at_table(table.seat_count()).chain(archive) {
            let own = state.view(viewer);
            if own.get() != public {
                let _ = writeln!(text, "    {viewer:?}: {own}");
            }
        }
    }
    if let Some(outcome) = table.outcome() {
        let _ = writeln!(text, "\n{}", serde_json::to_string_pretty(outcome).unwrap());
    }
    text
}
