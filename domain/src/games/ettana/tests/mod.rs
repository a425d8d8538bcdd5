//! temporary
use super::*;
use crate::chance::{Keyed, Seed};
fn luck(seed: u64) -> Keyed {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_be_bytes());
    Keyed::new(Seed::from(bytes).match_key(uuid::Uuid::nil(), &[]), 0)
}
fn run(seats: u8, seed: u64, greedy: bool, cap: usize) -> (usize, u32, usize, Vec<u8>) {
    let mut chance = luck(seed);
    let mut state = Ettana::new(seats, &Options {});
    let at = Timestamp::default();
    let events = Ettana::setup(&state, &mut Context { chance: &mut chance, at });
    for e in &events {
        Ettana::evolve(&mut state, e, at);
    }
    let mut n = 0;
    let mut listed = 0;
    while !Ettana::finished(&state) && n < cap {
        let seat = state.active;
        let moves: Vec<Move> = Ettana::legal_moves(&state, seat).collect();
        listed += moves.len();
        let mut mv = moves[(&mut chance as &mut dyn Chance).index(moves.len())].clone();
        if greedy {
            mv = Ettana::random_move(&state, seat, &mut chance).unwrap();
        }
        let events =
            Ettana::decide(&state, seat, &mv, &mut Context { chance: &mut chance, at }).unwrap();
        for e in &events {
            Ettana::evolve(&mut state, e, at);
        }
        n += 1;
    }
    (n, state.turn, listed / n, state.weavers.iter().map(|w| w.points()).collect())
}
static MODE: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
#[test]
fn measure() {
    eprintln!("size {}", size_of::<State>());
    for mode in 0..1 {
        MODE.store(mode, std::sync::atomic::Ordering::Relaxed);
        let greedy = true;
        eprintln!("mode {mode}");
        for seats in 2..=4 {
            let start = std::time::Instant::now();
            let runs: Vec<_> = (0..40).map(|s| run(seats, s, greedy, 100_000)).collect();
            let mut ns: Vec<_> = runs.iter().map(|r| r.0).collect();
            ns.sort();
            let avg = ns.iter().sum::<usize>() / ns.len();
            let turns = runs.iter().map(|r| r.1 as usize).sum::<usize>() / ns.len();
            eprintln!(
                "greedy {greedy} seats {seats}: avg {avg} med {} p90 {} max {} turns {turns} list {} time/match {:?}",
                ns[20],
                ns[36],
                ns[39],
                runs[0].2,
                start.elapsed() / 40
            );
        }
    }
}
