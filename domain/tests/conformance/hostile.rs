//! Verification survives arbitrary input: whatever a file holds, the answer is a report or a flaw, and comes soon.
//!
//! Files are made by changing honest proofs and computing all hashes anew, so that the changes reach the rules. Those that once
//! caused a panic are kept in `tests/corpus`. `TELAR_FUZZ` sets the number of files per game; `make fuzz-proofs` tries many.

use std::{fs, path::PathBuf};

use domain::{
    chance::{Chance, Seed},
    erased::AnyGame,
    games,
    matches::{Fork, Match, OnTimeout},
    proof::{Flaw, Proof},
};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::{
    json::Json,
    table::{Table, luck},
};

/// Files of each game in an ordinary run.
const FILES: u64 = 120;

fn files() -> u64 {
    std::env::var("TELAR_FUZZ").ok().and_then(|number| number.parse().ok()).unwrap_or(FILES)
}

fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// A match with timeouts, and a fork of it.
fn honest(game: &'static dyn AnyGame) -> [Proof; 2] {
    let mut timed = Table::timed(game, game.info().max_seats, OnTimeout::Automatic, 7);
    timed.play_out(|table| {
        if table.commits.len().is_multiple_of(9) {
            table.sleep();
        }
    });
    let middle = timed.commits[timed.commits.len() * 2 / 3].seq;
    let fork = Fork::at(&timed.commits, middle).unwrap().unwrap();
    let mut forked = Table::fork(&timed, fork, 8);
    forked.play_out(|_| {});
    [timed, forked].map(|table| Proof::of(&table.commits).unwrap().unwrap())
}

/// Computes every hash, every seal and the commitment anew, as somebody would who wants to deceive.
fn reforged(mut proof: Proof, payloads: &[String]) -> Proof {
    let mut previous = Match::ORIGIN;
    let seed = proof.seed.as_deref().and_then(Seed::from_hex).unwrap();
    for (commit, payload) in proof.commits.iter_mut().zip(payloads) {
        let mut hash = Sha256::new();
        hash.update(b"telar/commit/1");
        hash.update(previous);
        hash.update(proof.header.id);
        hash.update(commit.seq.to_be_bytes());
        hash.update(commit.at.to_be_bytes());
        hash.update(commit.player.unwrap());
        hash.update(commit.command_id.unwrap());
        hash.update(payload);
        previous = hash.finalize().into();
        commit.hash = Some(hex::encode(previous));
        commit.seal = seed.seal(&previous);
        commit.payload = Some(RawValue::from_string(payload.clone()).unwrap());
    }
    proof
}

/// An honest proof with a few changes in one of its payloads, most often the first: it holds the past of a fork.
fn changed(honest: &Proof, chance: &mut dyn Chance) -> Proof {
    let mut payloads: Vec<String> = honest
        .commits
        .iter()
        .map(|commit| commit.payload.as_ref().unwrap().get().to_owned())
        .collect();
    let at = if chance.below(3) > 0 { 0 } else { chance.index(payloads.len()) };
    let mut payload: Json = serde_json::from_str(&payloads[at]).unwrap();
    for _ in 0..=chance.below(3) {
        payload.change(chance);
    }
    payloads[at] = payload.to_string();
    let mut proof = honest.clone();
    if chance.below(20) == 0 {
        let any = chance.index(proof.commits.len());
        proof.commits[any].at = chance.pick(&[i64::MIN, -1, 0, i64::MAX / 2, i64::MAX]);
    }
    reforged(proof, &payloads)
}

/// What a verifier does with a file. A flawless match is looked at from all sides, as a server would that imported it.
fn verify(text: &[u8]) -> Result<(), Flaw> {
    let (_, end) = Proof::from_text(text)?.verify()?;
    assert!(end.status().is_over());
    Ok(())
}

#[test]
fn a_proof_with_changed_contents_and_new_hashes_never_causes_a_panic() {
    for game in games::all() {
        let honest = honest(game);
        for number in 0..files() {
            let mut chance = luck(number);
            let chance: &mut dyn Chance = &mut chance;
            let text = changed(&honest[chance.index(2)], chance).to_text();
            let key = game.info().key;
            let verified = std::panic::catch_unwind(|| verify(text.as_bytes()));
            if verified.is_err() {
                let file = std::env::temp_dir().join(format!("{key}-{number}.json"));
                fs::write(&file, &text).unwrap();
                panic!("file {number} of {key} causes a panic: see {}", file.display());
            }
        }
    }
}

#[test]
fn a_proof_with_changed_bytes_never_causes_a_panic() {
    for game in games::all() {
        let honest = honest(game).map(|proof| proof.to_text().into_bytes());
        for number in 0..files() {
            let mut chance = luck(number);
            let chance: &mut dyn Chance = &mut chance;
            let mut bytes = honest[chance.index(2)].clone();
            for _ in 0..=chance.below(4) {
                let (one, other) = (chance.index(bytes.len()), chance.index(bytes.len()));
                match chance.below(4) {
                    0 => bytes[one] = u8::try_from(chance.below(256)).unwrap(),
                    1 => bytes.truncate(one.max(1)),
                    2 => {
                        drop(
                            bytes.drain(one.min(other)..(one.min(other) + 20).min(one.max(other))),
                        );
                    }
                    _ => bytes.swap(one, other),
                }
            }
            let _ = verify(&bytes);
        }
    }
}

#[test]
fn files_that_are_not_proofs_are_flawed() {
    let deep = |open: &str, close: &str| [open.repeat(100_000), close.repeat(100_000)].concat();
    let texts = [
        String::new(),
        "null".to_owned(),
        "[]".to_owned(),
        "{}".to_owned(),
        deep("[", "]"),
        deep("{\"a\":", "}"),
        format!("{{\"format\":{}}}", deep("[", "]")),
        format!("{{\"format\":\"telar/proof/1\",\"match\":{{\"options\":{}", deep("[", "]")),
        "9".repeat(1_000_000),
    ];
    for text in texts {
        assert!(verify(text.as_bytes()).is_err(), "{}", &text[..text.len().min(80)]);
    }
    assert!(verify(&[0xff, 0xfe, 0x00]).is_err());
}

#[test]
fn files_that_once_caused_a_panic_or_were_accepted_are_flawed() {
    let mut checked = 0;
    for entry in fs::read_dir(corpus()).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read(&path).unwrap();
        let text = text.strip_suffix(b"\n").unwrap_or(&text);
        assert!(verify(text).is_err(), "{}", path.display());
        checked += 1;
    }
    assert!(checked > 0);
}

#[test]
fn the_past_of_a_fork_has_to_follow_from_the_rules() {
    for game in games::all() {
        let [_, fork] = honest(game);
        assert!(verify(fork.to_text().as_bytes()).is_ok());
        let first = fork.commits[0].payload.as_ref().unwrap().get();
        let payload: Json = serde_json::from_str(first).unwrap();
        // Without its last event, without its first, and with one of them twice.
        for change in [Json::drop_last as fn(&mut Vec<Json>), Json::drop_first, Json::repeat_last] {
            let mut payload = payload.clone();
            change(payload.find_mut(&["events", "0", "life", "origin", "events"]));
            let rest = fork.commits.iter().skip(1);
            let rest = rest.map(|commit| commit.payload.as_ref().unwrap().get().to_owned());
            let payloads: Vec<String> = [payload.to_string()].into_iter().chain(rest).collect();
            let forged = reforged(fork.clone(), &payloads);
            let flaw = forged.verify().map(drop).unwrap_err();
            let is_refused = matches!(flaw, Flaw::Unreadable { seq: 0, .. });
            // Half a decision may also be a whole one, after which the rest does not fit.
            let does_not_fit =
                matches!(flaw, Flaw::Refused { .. } | Flaw::Draw { .. } | Flaw::Event { .. });
            assert!(is_refused || does_not_fit, "{}: {flaw}", game.info().key);
        }
    }
}
