//! The rules alone, on one core: random play, folding, views and legal moves of every game, and what a match weighs.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use clap::Args;
use domain::{
    chance::{Chance, Keyed, Seed},
    erased::AnyGame,
    games,
    matches::{Command, Commit, Create, Match, Status, Visibility},
    seat::{Seat, Viewer},
    text::Lang,
    time::Timestamp,
};
use uuid::Uuid;

use crate::ALLOCATOR;

/// Measures the rules of every game.
#[derive(Debug, Args)]
pub struct Domain {
    /// For how many seconds each figure is measured.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
}

/// How many copies of a match are weighed.
const WEIGHED: u32 = 500;

impl Domain {
    /// Measures, and prints a table.
    pub fn run(&self) {
        println!(
            "{:<10} {:>10} {:>8} {:>12} {:>12} {:>9} {:>9} {:>11}",
            "game",
            "moves/s",
            "moves/m",
            "fold ev/s",
            "load ev/s",
            "view ns",
            "legal ns",
            "live bytes"
        );
        let mut weights = Vec::new();
        for game in games::all() {
            let weight = self.measure(game);
            weights.push(weight);
        }
        let average =
            weights.iter().sum::<f64>() / f64::from(u32::try_from(weights.len()).unwrap_or(1));
        println!("a live match weighs {average:.0} bytes on average (bar: 8192)");
    }

    fn measure(&self, game: &'static dyn AnyGame) -> f64 {
        let span = Duration::from_secs_f64(self.seconds);
        let seats = game.info().max_seats;
        let (mut moves, mut matches) = (0_u32, 0_u32);
        let started = Instant::now();
        while started.elapsed() < span {
            moves += play(game, seats, matches).1;
            matches += 1;
        }
        let playing = f64::from(moves) / started.elapsed().as_secs_f64();

        let (commits, _) = play(game, seats, 1);
        let recorded: Vec<_> = commits[1..]
            .iter()
            .map(|commit| (commit.at, commit.read(Some(game)).expect("our own").events))
            .collect();
        let events: u32 = commits.iter().map(|commit| commit.count).sum();
        let first = Match::open(&commits[0]).expect("our own");
        let folding = each(span, || {
            let mut table = first.clone();
            for (at, events) in &recorded {
                for event in events {
                    table.evolve(event, *at);
                }
            }
            drop(black_box(table));
        });
        let loading = each(span, || drop(black_box(Match::fold(&commits).expect("our own"))));
        let half = &commits[..commits.len() / 2];
        let table = Match::fold(half).expect("our own").expect("a match that has begun");
        let viewing = each(span, || drop(black_box(table.view(Viewer::Seat(Seat::new(0))))));
        let seat = table.to_act().iter().next().unwrap_or(Seat::new(0));
        let listing = each(span, || drop(black_box(table.listing(seat, Lang::En))));
        let weight = weigh(half);
        println!(
            "{:<10} {:>10.0} {:>8.0} {:>12.0} {:>12.0} {:>9.0} {:>9.0} {:>11.0}",
            game.info().key,
            playing,
            f64::from(moves) / f64::from(matches),
            f64::from(events) / folding,
            f64::from(events) / loading,
            viewing * 1e9,
            listing * 1e9,
            weight,
        );
        weight
    }
}

/// Plays a match at random, as resigned seats are played; its commits, and how many moves there were.
pub fn play(game: &'static dyn AnyGame, seats: u8, seed: u32) -> (Vec<Commit>, u32) {
    let player = |seat: Seat| Uuid::from_u128(u128::from(seat.number()) + 1);
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&seed.to_be_bytes());
    let seed = Seed::from(bytes);
    let create = Create {
        id: Uuid::from_u128(1),
        game,
        seats,
        options: None,
        visibility: Visibility::Public,
        creator: player(Seat::new(0)),
        entropy: None,
        seed,
        invite_code: None,
    };
    let mut luck = Keyed::new(seed.match_key(Uuid::nil(), &[]), 0);
    let luck: &mut dyn Chance = &mut luck;
    let (mut table, _, commit) = Match::create(create, Timestamp::from_micros(0))
        .expect("a legal table")
        .into_commit(Uuid::nil());
    let mut commits = vec![commit];
    let mut moves = 0;
    let mut step = |table: &mut Match, command: &Command| {
        let at =
            Timestamp::from_micros(i64::from(table.version() != 0) + table.updated_at().micros());
        let (next, _, commit) =
            table.decide(command, at).expect("a legal command").into_commit(Uuid::nil());
        *table = next;
        commits.push(commit);
    };
    for seat in Seat::all(seats).skip(1) {
        let sit =
            Command::Sit { player: player(seat), seat: None, entropy: None, invite_code: None };
        step(&mut table, &sit);
    }
    while table.status() == Status::Playing {
        let waiting: Vec<Seat> = table.to_act().iter().collect();
        let seat = luck.pick(&waiting);
        let mv = table.state().and_then(|state| state.random_move(seat, luck)).expect("a move");
        step(&mut table, &Command::Play { player: player(seat), mv });
        moves += 1;
    }
    (commits, moves)
}

/// Seconds for one run of `work`, repeated for a while.
fn each(span: Duration, mut work: impl FnMut()) -> f64 {
    let started = Instant::now();
    let mut runs = 0_u32;
    while started.elapsed() < span || runs == 0 {
        work();
        runs += 1;
    }
    started.elapsed().as_secs_f64() / f64::from(runs)
}

/// Bytes that a match takes in memory, everything that it points to included.
fn weigh(commits: &[Commit]) -> f64 {
    let before = ALLOCATOR.current_usage();
    let matches: Vec<Option<Match>> =
        (0..WEIGHED).map(|_| Match::fold(commits).expect("our own")).collect();
    let after = ALLOCATOR.current_usage();
    drop(black_box(matches));
    f64::from(u32::try_from(after - before).unwrap_or(u32::MAX)) / f64::from(WEIGHED)
}
