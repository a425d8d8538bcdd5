//! Laws about luck: it is declared, depends on the log alone, and evens out in the long run.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
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
fn games_with_luck_declare_figures_in_both_languages() {
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
                    }
                }
            }
            assert!(Seat::new(seats).is_none_or(|beyond| ledger.of(beyond).is_empty()));
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
        // All seats give up at once, so chance decides nothing more.
        let (leaver, stayers) = (Seat::FIRST, Seat::all(second.now.seat_count()).skip(1));
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

/// Adds up numbers, one per match, whose mean should be 0.
#[derive(Debug, Default)]
struct Sum {
    all: f64,
    squares: f64,
}

impl Sum {
    fn add(&mut self, number: f64) {
        self.all += number;
        self.squares += number * number;
    }

    /// The distance of the mean from 0, in standard errors.
    fn standard_errors(&self) -> f64 {
        self.all / self.squares.sqrt()
    }
}

/// However seats play, the differences between observed and expected values have a mean of 0 and the stated variance.
#[test]
fn luck_evens_out_over_many_matches() {
    for game in games::all() {
        let info = game.info();
        let mut sums: BTreeMap<&str, [Sum; 2]> = BTreeMap::new();
        for seed in 0..80 {
            let seats = info.min_seats + u8::try_from(seed % 3).unwrap();
            let mut table = Table::open(game, seats.min(info.max_seats), None, 10_000 + seed);
            table.play_out(|_| {});
            let lucks = figures(&table);
            for figure in info.luck {
                let lucks = || lucks.iter().filter(|luck| luck.info.id == figure.id);
                let difference = |luck: &Luck| luck.observed - luck.expected;
                let square = |luck: &Luck| difference(luck) * difference(luck) - luck.variance;
                let [differences, squares] = sums.entry(figure.id).or_default();
                differences.add(lucks().map(difference).sum());
                squares.add(lucks().map(square).sum());
            }
        }
        for (id, sums) in sums {
            let [differences, squares] = sums.map(|sum| sum.standard_errors());
            assert!(differences.abs() < 3.0, "{}.{id}: mean off by {differences}", info.key);
            // The distribution of squares is skewed: a few are large, most are small.
            assert!(squares.abs() < 4.0, "{}.{id}: variance off by {squares}", info.key);
        }
    }
}
