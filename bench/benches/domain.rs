//! The rules alone: random play, folding, loading, views, legal moves and the search for designs.

use std::{hint::black_box, time::Duration};

use bench::script::{self, Script};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use domain::{
    erased::AnyGame,
    games,
    matches::Match,
    seat::{Seat, Viewer},
    text::Lang,
};
use uuid::Uuid;

fn played(game: &'static dyn AnyGame, number: u64) -> Script {
    let players: Vec<Uuid> = (1..=u128::from(game.info().max_seats)).map(Uuid::from_u128).collect();
    script::play(game, Uuid::from_u128(1), &players, number)
}

/// A match half-way through.
fn halfway(script: &Script) -> Match {
    let half = &script.commits[..script.commits.len() / 2];
    Match::fold(half).expect("our own").expect("a match that has begun")
}

fn play(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("random match, moves");
    for game in games::all() {
        let mut number = 0;
        let moves = (0..20).map(|number| played(game, number).moves.len() as u64).sum::<u64>() / 20;
        group.throughput(Throughput::Elements(moves));
        group.bench_function(game.info().key, |bencher| {
            bencher.iter(|| {
                number += 1;
                played(game, number % 20)
            });
        });
    }
}

fn fold(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("folding, events");
    for game in games::all() {
        let script = played(game, 1);
        let events: Vec<_> = script.commits[1..]
            .iter()
            .map(|commit| (commit.at, commit.read(Some(game)).expect("our own").events))
            .collect();
        let count = events.iter().map(|(_, events)| events.len() as u64).sum();
        let first = Match::open(&script.commits[0]).expect("our own");
        group.throughput(Throughput::Elements(count));
        group.bench_function(game.info().key, |bencher| {
            let all = |mut table: Match| {
                for (at, events) in &events {
                    for event in events {
                        table.evolve(event, *at);
                    }
                }
                table
            };
            bencher.iter_batched(|| first.clone(), all, BatchSize::SmallInput);
        });
    }
}

fn load(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("loading from stored JSON, events");
    for game in games::all() {
        let script = played(game, 1);
        let count = script.commits.iter().map(|commit| u64::from(commit.count)).sum();
        group.throughput(Throughput::Elements(count));
        group.bench_function(game.info().key, |bencher| {
            bencher.iter(|| Match::fold(black_box(&script.commits)).expect("our own"));
        });
    }
}

fn look(criterion: &mut Criterion) {
    let tables: Vec<Match> = games::all().map(|game| halfway(&played(game, 1))).collect();
    let mut group = criterion.benchmark_group("view");
    for table in &tables {
        group.bench_function(table.game().info().key, |bencher| {
            bencher.iter(|| table.view(Viewer::Seat(Seat::FIRST)));
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("legal moves with their labels");
    for table in &tables {
        let seat = table.to_act().iter().next().expect("somebody to move");
        group.bench_function(table.game().info().key, |bencher| {
            bencher.iter(|| table.listing(seat, Lang::En));
        });
    }
}

/// Ettana's search for designs on the board, in the position with the most claims.
fn claims(criterion: &mut Criterion) {
    let game = games::find("ettana").expect("a game");
    let script = played(game, 1);
    let mut table = Match::open(&script.commits[0]).expect("our own");
    let mut most = (0, table.clone(), Seat::FIRST);
    for commit in &script.commits[1..] {
        table.apply(commit).expect("our own");
        for seat in table.to_act().iter() {
            let moves = table.state().into_iter().flat_map(|state| state.legal_moves(seat));
            let count = moves.filter(|mv| mv.get().contains("claim")).count();
            if count > most.0 {
                most = (count, table.clone(), seat);
            }
        }
    }
    let (count, table, seat) = most;
    criterion.bench_function(&format!("claim search, ettana, {count} claims"), |bencher| {
        bencher.iter(|| table.state().map(|state| state.legal_moves(seat).count()));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = play, fold, load, look, claims
}
criterion_main!(benches);
