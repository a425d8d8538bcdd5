//! Laws about luck: it is declared, follows from the log alone, and comes to nothing in the long run.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    erased::AnyGame,
    game::Nature,
    games,
    luck::{Ledger, Luck},
    matches::{Command, Event, Fork, Match},
    seat::Seat,
};

use crate::table::{Table, player, tables};

fn ledger(table: &Table) -> Ledger {
    Match::luck(&table.commits).unwrap().expect("a match that is over")
}

fn figures(table: &Table) -> Vec<Luck> {
    let ledger = ledger(table);
    Seat::all(table.now.seat_count()).flat_map(|seat| ledger.of(seat).to_vec()).collect()
}

#[test]
fn who_draws_luck_declares_figures_in_both_languages() {
    for game in games::all() {
        let info = game.info();
        let mut ids = BTreeSet::new();
        for figure in info.luck {
            assert!(ids.insert(figure.id), "{}.{} is declared twice", info.key, figure.id);
            for text in [figure.label, figure.description] {
                assert!(!text.en.is_empty() && !text.es.is_empty());
                assert_ne!(text.en, text.es, "{}.{} is not translated", info.key, figure.id);
            }
        }
        let mut table = Table::open(game, info.min_seats, None, 5);
        table.play_out(|_| {});
        let draws = table.events.iter().any(|event: &Event| event.nature() == Nature::Luck);
        assert_eq!(draws, !info.luck.is_empty(), "{} leaves things to chance", info.key);
    }
}

#[test]
fn every_seat_has_every_figure_once_the_match_is_over() {
    for game in games::all() {
        let mut counted = BTreeSet::new();
        for (seats, options) in tables(game) {
            let mut table = Table::open(game, seats, options.as_deref(), 83);
            assert_eq!(Match::luck(&table.commits).unwrap(), None, "luck tells of what is hidden");
            table.play_out(|_| {});
            let ledger = ledger(&table);
            assert_eq!(ledger, self::ledger(&table), "the same log, the same luck");
            for seat in Seat::all(seats) {
                let ids: Vec<&str> = ledger.of(seat).iter().map(|luck| luck.info.id).collect();
                let declared: Vec<&str> = game.info().luck.iter().map(|info| info.id).collect();
                assert_eq!(ids, declared);
                for luck in ledger.of(seat) {
                    let numbers = [luck.observed, luck.expected, luck.variance, luck.z()];
                    assert!(numbers.iter().all(|number| number.is_finite()), "{luck:?}");
                    assert!(luck.variance >= 0.0, "{luck:?}");
                    if luck.count > 0 {
                        counted.insert(luck.info.id);
                    } else {
                        assert_eq!(numbers, [0.0; 4], "{luck:?}");
                    }
                }
            }
            assert!(ledger.of(Seat::new(seats)).is_empty());
        }
        assert_eq!(counted.len(), game.info().luck.len(), "{counted:?} of {}", game.info().key);
    }
}

#[test]
fn a_fork_has_only_luck_of_its_own() {
    for game in games::all() {
        let mut first = Table::open(game, game.info().max_seats, None, 89);
        first.play_out(|_| {});
        let middle = first.commits[first.commits.len() / 2].seq;
        let fork = Fork::at(&first.commits, middle).unwrap().unwrap();
        let mut second = Table::fork(&first, fork, 97);
        // The same seats give up at once: nothing was left to chance any more.
        let (leaver, stayers) = (Seat::new(0), Seat::all(second.now.seat_count()).skip(1));
        for seat in stayers.skip(1).chain([leaver]) {
            if !second.is_over() {
                second.command(&Command::Resign { player: player(seat) });
            }
        }
        assert!(second.is_over());
        let (whole, rest) = (figures(&first), figures(&second));
        for (whole, rest) in whole.iter().zip(&rest) {
            assert!(rest.count < whole.count || whole.count == 0, "{rest:?} of {whole:?}");
        }
    }
}

/// What is left of many matches.
#[derive(Debug, Default)]
struct Sum {
    matches: u32,
    /// Of the differences of all seats of a match.
    differences: f64,
    squares: f64,
    /// Of the difference of each seat.
    squares_of_seats: f64,
    variances: f64,
}

impl Sum {
    fn add(&mut self, lucks: &[Luck]) {
        let differences = lucks.iter().map(|luck| luck.observed - luck.expected);
        let difference: f64 = differences.clone().sum();
        self.matches += 1;
        self.differences += difference;
        self.squares += difference * difference;
        self.squares_of_seats += differences.map(|difference| difference * difference).sum::<f64>();
        self.variances += lucks.iter().map(|luck| luck.variance).sum::<f64>();
    }
}

/// However seats play, the differences between what chance gave and what could be expected have a mean of nothing and the
/// variance that is stated.
fn evens_out(game: &'static dyn AnyGame, matches: u64) {
    let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
    let info = game.info();
    for seed in 0..matches {
        let seats = info.min_seats + u8::try_from(seed % 3).unwrap();
        let mut table = Table::open(game, seats.min(info.max_seats), None, 10_000 + seed);
        table.play_out(|_| {});
        let lucks = figures(&table);
        for figure in info.luck {
            let of_figure: Vec<Luck> =
                lucks.iter().filter(|luck| luck.info.id == figure.id).copied().collect();
            sums.entry(figure.id).or_default().add(&of_figure);
        }
    }
    for (id, sum) in sums {
        let error = sum.squares.sqrt();
        let off = sum.differences / error;
        let ratio = sum.squares_of_seats / sum.variances;
        println!("{}.{id}: {off:.2} standard errors, variance by {ratio:.2}; {sum:?}", info.key);
        assert!(off.abs() < 3.0, "{}.{id} is off by {off} standard errors", info.key);
        assert!((0.75..1.33).contains(&ratio), "{}.{id} varies by {ratio}", info.key);
    }
}

#[test]
fn luck_evens_out_over_many_matches() {
    for game in games::all() {
        evens_out(game, 200);
    }
}
