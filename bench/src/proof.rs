//! Proofs at scale: random matches of every game are stepped through, proven, verified with both verifiers, and damaged.

use std::{collections::BTreeMap, fs, path::PathBuf, process::Command, time::Instant};

use clap::Args;
use domain::{
    chance::{Chance, Keyed, Seed},
    demo::Demo,
    erased::AnyGame,
    games,
    matches::{Commit, Create, Match, Replay},
    proof::Proof,
    seat::Viewer,
    time::Timestamp,
};
use uuid::Uuid;

/// Steps through random matches, verifies their proofs with both verifiers, and damages them.
#[derive(Debug, Args)]
pub struct Proofs {
    /// Number of matches of each game.
    #[arg(long, default_value_t = 100)]
    matches: u32,
    /// Number of single bytes to change in proofs of each game.
    #[arg(long, default_value_t = 1_000)]
    changes: u32,
    /// The path of the independent verifier.
    #[arg(long, default_value = "tests/verify.py")]
    script: PathBuf,
}

impl Proofs {
    /// Checks everything and prints a table.
    pub fn run(&self) {
        println!(
            "{:<10} {:>8} {:>8} {:>9} {:>9} {:>11} {:>12} {:>12} {:>8}",
            "game",
            "matches",
            "commits",
            "frames",
            "bytes/m",
            "verify ms/m",
            "python ms/m",
            "changes found",
            "missed"
        );
        let folder = tempfile::tempdir().expect("a directory");
        for game in games::all() {
            let info = game.info();
            let (mut commits, mut frames, mut verifying) = (0, 0, 0.0);
            let mut texts = Vec::new();
            for number in 0..self.matches {
                let spread = u32::from(info.max_seats - info.min_seats) + 1;
                let seats = info.min_seats + u8::try_from(number % spread).unwrap_or_default();
                let (log, live) = watched(game, seats, number);
                commits += log.len();
                frames += step_through(&log, &live);
                let text = Proof::of(&log).expect("our own").expect("a match").to_text();
                let started = Instant::now();
                verify(text.as_bytes())
                    .unwrap_or_else(|flaw| panic!("{} {number}: {flaw}", info.key));
                verifying += started.elapsed().as_secs_f64();
                texts.push(text);
            }
            let files = texts.iter().enumerate().map(|(number, text)| {
                let file = folder.path().join(format!("{}-{number}.json", info.key));
                fs::write(&file, text).expect("a file");
                file
            });
            let files: Vec<PathBuf> = files.collect();
            let started = Instant::now();
            let python = Command::new("python3").arg(&self.script).args(files).output();
            let python = python.expect("python3");
            assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stdout));
            let python = started.elapsed().as_secs_f64();
            let missed = self.damage(&texts);
            let each = |seconds: f64| seconds * 1e3 / f64::from(self.matches.max(1));
            println!(
                "{:<10} {:>8} {:>8} {:>9} {:>9} {:>11.2} {:>12.1} {:>12} {:>8}",
                info.key,
                self.matches,
                commits,
                frames,
                texts.iter().map(String::len).sum::<usize>() / texts.len().max(1),
                each(verifying),
                each(python),
                self.changes - missed,
                missed,
            );
            assert_eq!(missed, 0);
        }
    }

    /// The number of changed bytes that no verifier detected.
    fn damage(&self, texts: &[String]) -> u32 {
        let key = Seed::from([9; 32]).match_key(Uuid::nil(), &[]);
        let mut luck = Keyed::new(key, 0);
        let luck: &mut dyn Chance = &mut luck;
        let mut missed = 0;
        for _ in 0..self.changes {
            let mut bytes = texts[luck.index(texts.len())].as_bytes().to_vec();
            let place = luck.index(bytes.len());
            bytes[place] ^= u8::try_from(luck.below(255) + 1).unwrap_or(1);
            missed += u32::from(verify(&bytes).is_ok());
        }
        missed
    }
}

fn verify(bytes: &[u8]) -> Result<(), domain::proof::Flaw> {
    Proof::from_text(bytes).and_then(|proof| proof.verify()).map(drop)
}

/// The views of all viewers, by version.
type Live = BTreeMap<u64, Vec<Option<String>>>;

/// The log of a random match, and the views of all viewers after every move.
fn watched(game: &'static dyn AnyGame, seats: u8, number: u32) -> (Vec<Commit>, Live) {
    let players: Vec<Uuid> = (1..=u128::from(seats)).map(Uuid::from_u128).collect();
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    let seed = Seed::from(bytes);
    let id = Uuid::from_u128(u128::from(number));
    let create = Create {
        entropy: Some("ñandú".to_owned()),
        ..Create::new(id, game, seats, players[0], seed)
    };
    let mut luck = Keyed::new(seed.match_key(Uuid::nil(), &[]), 0);
    let mut demo = Demo::start(create, &players, Timestamp::from_micros(0)).expect("a table");
    let mut live = Live::new();
    for second in 1.. {
        live.insert(demo.game_match.version(), views(&demo.game_match));
        if demo.step(Timestamp::from_micros(second * 1_000_000), &mut luck).is_none() {
            break;
        }
    }
    (demo.commits, live)
}

/// The views of all viewers.
fn views(table: &Match) -> Vec<Option<String>> {
    Viewer::at_table(table.seat_count())
        .map(|viewer| table.view(viewer).map(|view| view.get().to_owned()))
        .collect()
}

/// Compares every frame of a match with the views seen live after each command.
fn step_through(log: &[Commit], live: &Live) -> usize {
    let mut steps = Replay::after(log, 0).expect("our own");
    let (mut frames, mut compared) = (0, 0);
    while let Some(step) = steps.step().expect("our own") {
        frames += 1;
        if let Some(seen) = live.get(&step.game_match.version()) {
            assert_eq!(&views(step.game_match), seen, "version {}", step.game_match.version());
            compared += 1;
        }
    }
    assert_eq!(compared, live.len());
    frames
}
