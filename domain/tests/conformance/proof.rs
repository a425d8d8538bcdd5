//! Laws about records of a match: stepping through it shows what was seen live, its proof verifies, and every changed
//! byte of the proof is detected.

use std::{fs, path::PathBuf, process::Command as Process};

use domain::{
    chance::{Chance, Draw, Seed},
    erased::AnyGame,
    games,
    matches::{Command, Fork, Match, OnTimeout, Replay, Status},
    proof::{Flaw, Proof},
    seat::{Seat, Viewer},
};
use serde_json::{Value, value::RawValue};
use sha2::{Digest, Sha256};

use crate::table::{Table, luck, player, tables};

/// Random matches of each game; `make proofs` checks many more.
const MATCHES: u64 = 20;
const STEPPED: u64 = 4;
/// Matches for the slow verifier, and changes that it has to detect.
const IN_PYTHON: u64 = 3;
const CHANGES_IN_PYTHON: usize = 200;

/// A random match to its end, sometimes with a resignation.
fn played(game: &'static dyn AnyGame, seed: u64) -> Table {
    let mut chance = luck(seed);
    let chance: &mut dyn Chance = &mut chance;
    let tables = tables(game);
    let (seats, options) = &tables[chance.index(tables.len())];
    let mut table = Table::open(game, *seats, options.as_deref(), seed);
    let quits = (*seats > 2 && chance.below(3) == 0).then(|| chance.index(40));
    table.play_out(|table| {
        let playing = table.commits.len().saturating_sub(usize::from(table.now.seat_count()));
        if quits == Some(playing) && table.now.resigned().is_empty() {
            table.command(&Command::Resign { player: player(Seat::at::<1>()) });
        }
    });
    table
}

fn proof(table: &Table) -> Proof {
    Proof::of(&table.commits).unwrap().unwrap()
}

#[test]
fn every_step_shows_what_each_viewer_saw_live() {
    for game in games::all() {
        for seed in 0..STEPPED {
            let tables = tables(game);
            let (seats, options) = &tables[usize::try_from(seed).unwrap() % tables.len()];
            let mut table = Table::open(game, *seats, options.as_deref(), 1_000 + seed);
            let mut live = vec![(table.now.version(), table.views())];
            while !table.is_over() {
                table.step();
                live.push((table.now.version(), table.views()));
            }
            let mut live = live.into_iter().peekable();
            let mut steps = Replay::after(&table.commits, 0).unwrap();
            let mut version = 0;
            while let Some(step) = steps.step().unwrap() {
                version += 1;
                assert_eq!(step.game_match.version(), version);
                if live.peek().is_some_and(|(at, _)| *at == version) {
                    let (_, views) = live.next().unwrap();
                    for viewer in Viewer::at_table(*seats) {
                        let view = step.game_match.view(viewer).unwrap();
                        assert_eq!(view.get(), views[&format!("{viewer:?}")], "version {version}");
                    }
                }
            }
            assert!(live.next().is_none(), "every view was compared");
            assert_eq!(version, table.now.version());
        }
    }
}

#[test]
fn steps_begin_after_any_version_and_agree_with_the_match_as_of_it() {
    for game in games::all() {
        let table = played(game, 7);
        let last = table.now.version();
        for after in (0..=last).step_by(5).chain([last]) {
            let mut steps = Replay::after(&table.commits, after).unwrap();
            let Some(step) = steps.step().unwrap() else {
                assert_eq!(after, last);
                continue;
            };
            let as_of = Match::as_of(&table.commits, after + 1).unwrap().unwrap();
            let view = |table: &Match| table.view(Viewer::Spectator).map(|view| view.to_string());
            assert_eq!(view(step.game_match), view(&as_of));
            assert_eq!(step.game_match.version(), after + 1);
            assert_eq!(step.at, as_of.updated_at());
        }
    }
}

#[test]
fn the_proof_of_every_match_verifies() {
    for game in games::all() {
        let mut resigned = 0;
        for seed in 0..MATCHES {
            let table = played(game, seed);
            resigned += table.now.resigned().len();
            let text = proof(&table).to_text();
            let (report, end) = Proof::from_text(text.as_bytes())
                .and_then(|proof| proof.verify())
                .unwrap_or_else(|flaw| panic!("{} {seed}: {flaw}", game.info().key));
            assert_eq!(report.hash, *table.now.hash());
            assert_eq!(report.events, table.now.version());
            assert_eq!(end.outcome(), table.now.outcome());
        }
        assert!(resigned > 0 || game.info().max_seats < 3);
    }
}

#[test]
fn a_proof_before_the_end_reveals_nothing_and_commits_to_everything() {
    for game in games::all() {
        let mut table = Table::open(game, game.info().max_seats, None, 77);
        let mut earlier = Vec::new();
        table.play_out(|table| {
            if table.commits.len().is_multiple_of(50) {
                let proof = proof(table);
                let text: Value = serde_json::from_str(&proof.to_text()).unwrap();
                let fields = |value: &Value| -> Vec<String> {
                    value.as_object().unwrap().keys().cloned().collect()
                };
                let shown =
                    ["commitment", "commits", "format", "match", "seats", "status", "version"];
                assert_eq!(fields(&text), shown);
                for commit in text["commits"].as_array().unwrap() {
                    assert_eq!(fields(commit), ["at", "seal", "seq"]);
                }
                for commit in &table.commits {
                    let hash = commit.hash.iter().map(|byte| format!("{byte:02x}"));
                    assert!(!proof.to_text().contains(&hash.collect::<String>()));
                }
                assert_eq!(proof.verify().unwrap_err(), Flaw::NotOver);
                earlier.push(proof);
            }
        });
        assert!(!earlier.is_empty());
        let end = proof(&table);
        for earlier in &mut earlier {
            assert_eq!(end.continues(earlier), Ok(()));
            let last = earlier.commits.last_mut().unwrap();
            last.seal.replace_range(..1, if last.seal.starts_with('0') { "1" } else { "0" });
            let seq = last.seq;
            assert_eq!(end.continues(earlier), Err(Flaw::Seal { seq }));
        }
    }
}

#[test]
fn every_single_changed_byte_is_detected() {
    let mut chance = luck(99);
    for game in games::all() {
        let text = proof(&played(game, 3)).to_text();
        for _ in 0..1_000 / games::all().count() {
            let changed = change(&text, &mut chance);
            let found = Proof::from_text(&changed).and_then(|proof| proof.verify());
            assert!(found.is_err(), "{}", String::from_utf8_lossy(&changed));
        }
    }
}

/// The same with one byte changed.
fn change(text: &str, chance: &mut dyn Chance) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let place = chance.index(bytes.len());
    // Half of the changes usually leave the document well-formed.
    let likely = b"0123456789abcdef";
    let byte = loop {
        let byte = if chance.below(2) == 0 {
            likely[chance.index(likely.len())]
        } else {
            u8::try_from(chance.below(256)).unwrap()
        };
        if byte != bytes[place] {
            break byte;
        }
    };
    bytes[place] = byte;
    bytes
}

/// A forged payload with all hashes recomputed, which only the operator of a server could do.
fn forged(table: &Table, at: usize, lie: &dyn Fn(&str) -> String) -> Result<(), Flaw> {
    let mut commits = table.commits.clone();
    commits[at].payload = lie(&commits[at].payload);
    let mut previous = Match::ORIGIN;
    for commit in &mut commits {
        let mut hash = Sha256::new();
        hash.update(b"telar/commit/1");
        hash.update(previous);
        hash.update(commit.match_id);
        hash.update(commit.seq.to_be_bytes());
        hash.update(commit.at.micros().to_be_bytes());
        hash.update(commit.player);
        hash.update(commit.command_id);
        hash.update(&commit.payload);
        commit.hash = hash.finalize().into();
        previous = commit.hash;
    }
    let mut proof = proof(table);
    let seed = Seed::from_hex(proof.seed.as_deref().unwrap()).unwrap();
    for (entry, commit) in proof.commits.iter_mut().zip(&commits) {
        entry.hash = Some(hex::encode(commit.hash));
        entry.seal = seed.seal(&commit.hash);
        entry.payload = Some(RawValue::from_string(commit.payload.clone()).unwrap());
    }
    proof.verify().map(drop)
}

#[test]
fn a_flaw_names_the_commit_and_the_problem() {
    let game = games::find("qwinto").unwrap();
    let table = played(game, 1);
    let honest = proof(&table);
    let text = honest.to_text();
    let flaw = |text: &str| {
        Proof::from_text(text.as_bytes()).and_then(|proof| proof.verify()).map(drop).unwrap_err()
    };
    // The document.
    assert!(matches!(flaw(&text[1..]), Flaw::Shape(_)));
    assert!(matches!(flaw(&format!("{text}x")), Flaw::Shape(_)));
    assert_eq!(flaw(&format!("{text}\n")), Flaw::Form { byte: text.len() + 1 });
    assert_eq!(flaw(&text.replacen(':', ": ", 1)), Flaw::Form { byte: 11 });
    let unknown = text.replacen("\"match\":", "\"note\":1,\"match\":", 1);
    assert!(flaw(&unknown).to_string().contains("unknown field `note`"));
    let twice = text.replacen("\"status\":", "\"version\":9,\"status\":", 1);
    assert!(flaw(&twice).to_string().contains("duplicate field `version`"));
    assert_eq!(flaw(&text.replacen("proof/1", "proof/2", 1)), Flaw::Format("telar/proof/2".into()));
    assert_eq!(flaw(&text.replacen("\"zero\"", "\"nada\"", 1)), Flaw::Entropy { seat: 0 });
    assert_eq!(
        flaw(&text.replacen("\"visibility\":\"public\"", "\"visibility\":\"private\"", 1)),
        Flaw::Field { field: "match.visibility" }
    );
    let seed = honest.seed.clone().unwrap();
    let other = seed.replace('1', "2");
    assert_eq!(flaw(&text.replacen(&seed, &other, 1)), Flaw::Commitment);

    let broken = |change: &dyn Fn(&mut Proof)| {
        let mut proof = honest.clone();
        change(&mut proof);
        proof.verify().map(drop).unwrap_err()
    };
    let (two, three) = (honest.commits[2].seq, honest.commits[3].seq);
    let missing = Flaw::Missing { expected: two, found: three };
    assert_eq!(broken(&|proof| drop(proof.commits.remove(2))), missing);
    let version = honest.commits.last().unwrap().seq;
    assert_eq!(broken(&|proof| drop(proof.commits.pop())), Flaw::Cut { expected: version });
    assert_eq!(broken(&|proof| proof.commits[3].hash = None), Flaw::Sealed { seq: three });
    assert_eq!(broken(&|proof| proof.commits[3].at += 1), Flaw::Chain { seq: three });
    assert_eq!(broken(&|proof| proof.commits[3].at = 0), Flaw::Time { seq: three });
    assert_eq!(broken(&|proof| proof.commits[3].seal = seed.clone()), Flaw::Seal { seq: three });
    let last = |proof: &mut Proof| {
        let mut extra = proof.commits[3].clone();
        extra.seq = proof.version;
        proof.commits.push(extra);
    };
    let over = Flaw::Refused { seq: honest.version, code: "match_over".into() };
    assert_eq!(broken(&last), over);
}

#[test]
fn a_forgery_is_detected_even_with_all_hashes_recomputed() {
    let table = played(games::find("qwinto").unwrap(), 1);
    let at =
        table.commits.iter().position(|commit| commit.payload.contains("dice_rolled")).unwrap();
    let (seq, payload) = (table.commits[at].seq, table.commits[at].payload.as_str());
    assert_eq!(forged(&table, at, &str::to_owned), Ok(()));

    // [[6,4]] and face 5: another draw, one draw too many, another face for the same draw.
    let value = payload.split("[[6,").nth(1).unwrap()[..1].parse::<u32>().unwrap();
    let recorded = Some(Draw { n: 6, value: (value + 1) % 6 });
    let expected = Some(Draw { n: 6, value });
    let other = format!("[[6,{}", (value + 1) % 6);
    assert_eq!(
        forged(&table, at, &|payload| payload.replace(&format!("[[6,{value}"), &other)),
        Err(Flaw::Draw { seq, index: 0, recorded, expected })
    );
    let more = forged(&table, at, &|payload| payload.replacen("]],", "],[6,1]],", 1));
    assert!(
        matches!(more, Err(Flaw::Draw { seq: it, expected: None, .. }) if it == seq),
        "{more:?}"
    );
    let face = format!("\"face\":{}", value + 1);
    let other = format!("\"face\":{}", (value + 1) % 6 + 1);
    let lie = |payload: &str| payload.replacen(&face, &other, 1);
    assert_eq!(forged(&table, at, &lie), Err(Flaw::Event { seq, index: 0 }));

    // Another seat, another command, no command, and a command with an extra field.
    let by = payload.split("\"by\":").nth(1).unwrap()[..1].parse::<u8>().unwrap();
    let other = format!("\"by\":{}", by + 1);
    let lie = |payload: &str| payload.replacen(&format!("\"by\":{by}"), &other, 1);
    assert_eq!(forged(&table, at, &lie), Err(Flaw::Event { seq, index: 0 }));
    let command = payload.split("\"move\":").nth(1).unwrap().split("},").next().unwrap();
    let lie = |payload: &str| payload.replacen(command, "{\"type\":\"keep\"}", 1);
    assert!(matches!(forged(&table, at, &lie), Err(Flaw::Refused { seq: it, .. }) if it == seq));
    let lie = |payload: &str| payload.replacen("\"play\"", "\"cheat\"", 1);
    assert!(matches!(forged(&table, at, &lie), Err(Flaw::Unreadable { seq: it, .. }) if it == seq));
    let lie = |payload: &str| payload.replacen("\"play\",", "\"play\",\"seat\":null,", 1);
    assert_eq!(forged(&table, at, &lie), Err(Flaw::Command { seq }));

    // A different seed from the one committed to.
    let seed = proof(&table).seed.unwrap();
    let other = seed.replace('1', "2");
    let lie = |payload: &str| payload.replace(&seed, &other);
    assert_eq!(forged(&table, 0, &lie), Err(Flaw::OtherSeed));
}

/// A match with moves that the server made for seats out of time, and a fork from its middle.
fn timed_and_forked(game: &'static dyn AnyGame) -> [Table; 2] {
    let mut timed = Table::timed(game, game.info().max_seats, OnTimeout::Automatic, 97);
    timed.play_out(|table| {
        if table.commits.len().is_multiple_of(5) {
            table.sleep();
        }
    });
    let middle = timed.commits[timed.commits.len() / 2].seq;
    let fork = Fork::at(&timed.commits, middle).unwrap().unwrap();
    let mut forked = Table::fork(&timed, fork, 98);
    forked.play_out(|_| {});
    [timed, forked]
}

#[test]
fn a_match_with_timeouts_and_a_fork_have_proofs_too() {
    for game in games::all() {
        for table in timed_and_forked(game) {
            let text = proof(&table).to_text();
            let (report, _) = Proof::from_text(text.as_bytes()).unwrap().verify().unwrap();
            assert_eq!(report.hash, *table.now.hash());
        }
    }
}

#[test]
fn a_match_that_everybody_left_has_a_proof_too() {
    let game = games::find("qwinto").unwrap();
    let mut table = Table::opened(game, 2, None, 5);
    table.command(&Command::Leave { player: player(Seat::FIRST) });
    assert_eq!(table.now.status(), Status::Abandoned);
    let text = proof(&table).to_text();
    assert!(Proof::from_text(text.as_bytes()).unwrap().verify().is_ok());
}

#[test]
fn the_independent_verifier_agrees() {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/verify.py");
    if Process::new("python3").arg("--version").output().is_err() {
        println!("skipped: python3 is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut chance = luck(5);
    let write = |name: String, bytes: &[u8]| {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        file
    };
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for game in games::all() {
        let key = game.info().key;
        for seed in 0..IN_PYTHON {
            let text = proof(&played(game, seed)).to_text();
            good.push(write(format!("{key}-{seed}.json"), text.as_bytes()));
        }
        for (number, table) in timed_and_forked(game).iter().enumerate() {
            good.push(write(
                format!("{key}-other-{number}.json"),
                proof(table).to_text().as_bytes(),
            ));
        }
        let text = proof(&played(game, 3)).to_text();
        for number in 0..CHANGES_IN_PYTHON / games::all().count() {
            bad.push(write(format!("{key}-bad-{number}.json"), &change(&text, &mut chance)));
        }
    }
    let output = Process::new("python3").arg(&script).args(&good).args(&bad).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), good.len() + bad.len(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "some of them are bad");
    for (line, is_good) in
        lines.iter().zip(good.iter().map(|_| true).chain(bad.iter().map(|_| false)))
    {
        assert_eq!(line.contains(": match "), is_good, "{line}");
    }
}

#[test]
fn the_worked_example_of_the_documentation_verifies() {
    let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/proof.md");
    let page = fs::read_to_string(page).unwrap();
    let document = page.lines().find(|line| line.starts_with("{\"format\"")).unwrap();
    let (report, _) = Proof::from_text(document.as_bytes()).unwrap().verify().unwrap();
    assert_eq!((report.commits, report.events, report.draws), (3, 7, 1));
    assert!(
        page.contains(&format!("| `hash` of the last commit | `{}` |", hex::encode(report.hash)))
    );
}

#[test]
fn a_replay_from_any_commit_in_parts_is_the_replay_from_the_start() {
    for game in games::all() {
        let table = played(game, 7);
        let log = &table.commits;
        for from in (0..log.len()).step_by(7) {
            let checkpoint = Match::fold(&log[..from]).unwrap();
            let middle = from + (log.len() - from) / 2;
            let start = log[from].seq;
            // Commits that the checkpoint contains are skipped.
            let part = &log[from.saturating_sub(1)..middle.max(from)];
            let mut steps = Replay::from_checkpoint(checkpoint, part, start).unwrap();
            let mut whole = Replay::after(&log[..], start).unwrap();
            while let Some(expected) = whole.step().unwrap() {
                if steps.is_done() {
                    steps.go_on(&log[middle.max(from)..]);
                }
                let step = steps.step().unwrap().unwrap();
                assert_eq!((step.at, step.event.by()), (expected.at, expected.event.by()));
                let view = |m: &Match| m.view(Viewer::Archive).map(|view| view.to_string());
                assert_eq!(view(step.game_match), view(expected.game_match));
                assert_eq!(step.game_match.version(), expected.game_match.version());
            }
            assert!(steps.is_done() && steps.step().unwrap().is_none());
        }
    }
}
