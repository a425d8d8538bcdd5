//! Plays the levels against each other and writes the tables of bots/README.md: `make ladder`.
//!
//! Results are kept in bots/ladder.json after every few matches, so that a run continues where the last one ended. Which
//! matches are played does not depend on the number of threads.

mod arena;
#[path = "arena/book.rs"]
mod book;
#[path = "arena/duel.rs"]
mod duel;

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Instant,
};

use arena::{Player, Table};
use bots::{Contestant, Row, Share};
use clap::Parser;
use domain::{bot::BotLevel, erased::AnyGame, games, outcome::MeasureValue};
use duel::{duel, play_out};

/// Matches of a pair between two decisions whether to play on: ten deals from both sides.
const ROUND: u32 = 20;
/// Fewer matches of two are not enough to stop.
const ENOUGH: u32 = 40;
/// What a level should win against the one below, and master against random play.
const BAR: f64 = 0.62;
const TOP_BAR: f64 = 0.97;
/// Random play hardly ever completes a solo match, so it takes more matches to see how often.
const RANDOM_SOLO: u32 = 10;
/// The first deal of duels, which are for tuning: levels are measured on other deals than they were chosen by.
const TUNING: u64 = 1000;

/// Plays levels of bots against each other.
#[derive(Debug, Parser)]
struct Options {
    /// Only these games.
    #[arg(long, value_delimiter = ',')]
    games: Vec<String>,
    /// Only these numbers of seats.
    #[arg(long, value_delimiter = ',')]
    seats: Vec<u8>,
    /// Only pairs with this level above.
    #[arg(long)]
    level: Option<String>,
    /// Matches per pair with two seats at most. Fewer are played if it is clear earlier whether the bar is reached.
    #[arg(long, default_value_t = 200)]
    matches: u32,
    /// Matches of every level of a solo game; ten times as many of random play.
    #[arg(long, default_value_t = 100)]
    solo: u32,
    /// Matches per pair with more seats.
    #[arg(long, default_value_t = 20)]
    crowd: u32,
    /// The first deal of rows that are begun. A level that is changed because of its row should be measured on new deals.
    #[arg(long, default_value_t = 1_000_000)]
    deals: u64,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Forget earlier results.
    #[arg(long)]
    fresh: bool,
    /// Only print how these two players do against each other, such as `club,random` or `p100h20w32k,club`.
    #[arg(long, value_delimiter = ',')]
    duel: Vec<Player>,
    #[arg(long, hide = true)]
    bench: bool,
}

/// A pair that is to be played.
#[derive(Clone, Copy)]
struct Pairing {
    game: &'static dyn AnyGame,
    seats: u8,
    player: Contestant,
    /// Nobody in a solo game.
    against: Option<Contestant>,
    matches: u32,
    /// What the player should win. If this is clear, no more matches are played.
    bar: Option<f64>,
}

fn main() {
    let options = Options::parse();
    if let [one, two] = options.duel[..] {
        return tune(&options, [one, two]);
    }
    let plan = plan(&options);
    let mut ladder = book::open();
    if options.fresh {
        let again = |row: &Row| plan.iter().any(|it| it.is(row));
        ladder.rows.retain(|row| !again(row));
    }
    for (number, pairing) in plan.iter().enumerate() {
        let Pairing { game, seats, player, against, .. } = *pairing;
        let key = game.info().key;
        let mut row = ladder
            .row(key, seats, player, against)
            .cloned()
            .unwrap_or_else(|| book::new_row(key, seats, player, against, options.deals));
        let (began, before) = (Instant::now(), row.matches);
        while pairing.goes_on(&row) {
            pairing.play_round(&mut row, options.threads);
            book::put(&mut ladder, &row);
            book::save(&ladder);
        }
        println!(
            "{}/{} {} ({} new, {:.1} s)",
            number + 1,
            plan.len(),
            book::line(&row),
            row.matches - before,
            began.elapsed().as_secs_f64()
        );
    }
    book::save(&ladder);
}

/// Everything that is to be measured: matches of two first, then solo games, then matches with more seats; cheap pairs before
/// expensive ones.
fn plan(options: &Options) -> Vec<Pairing> {
    let games: Vec<&'static dyn AnyGame> = games::all()
        .filter(|game| {
            options.games.is_empty() || options.games.iter().any(|it| it == game.info().key)
        })
        .collect();
    let mut plan = Vec::new();
    let top = [Contestant::Bot(BotLevel::Master), Contestant::Random];
    for pair @ [player, against] in book::pairs() {
        let bar = Some(if pair == top { TOP_BAR } else { BAR });
        for game in games.iter().filter(|game| game.info().max_seats > 1) {
            let against = Some(against);
            plan.push(Pairing {
                game: *game,
                seats: 2,
                player,
                against,
                matches: options.matches,
                bar,
            });
        }
    }
    for game in games.iter().filter(|game| game.info().min_seats == 1) {
        for player in Contestant::all() {
            let times = if player == Contestant::Random { RANDOM_SOLO } else { 1 };
            let matches = options.solo * times;
            plan.push(Pairing { game: *game, seats: 1, player, against: None, matches, bar: None });
        }
    }
    for [player, against] in book::pairs() {
        for game in &games {
            for seats in 3..=game.info().max_seats {
                let against = Some(against);
                let matches = options.crowd;
                plan.push(Pairing { game: *game, seats, player, against, matches, bar: None });
            }
        }
    }
    plan.retain(|it| {
        (options.seats.is_empty() || options.seats.contains(&it.seats))
            && options.level.as_ref().is_none_or(|level| it.player.to_string() == *level)
    });
    plan
}

impl Pairing {
    fn is(&self, row: &Row) -> bool {
        row.game == self.game.info().key
            && (row.seats, row.player, row.against) == (self.seats, self.player, self.against)
    }

    fn goes_on(&self, row: &Row) -> bool {
        let Share { low, high, .. } = Share::new(row.score, row.matches);
        let clear = |bar: f64| row.matches >= ENOUGH && (low > bar || high < bar);
        row.matches < self.matches && !self.bar.is_some_and(clear)
    }

    /// Plays the next matches and adds them to the row.
    fn play_round(&self, row: &mut Row, threads: usize) {
        let player = Player::Listed(self.player);
        let against = self.against.map_or(player, Player::Listed);
        let until = (row.matches + ROUND).min(self.matches);
        let results = play(
            self.game,
            self.seats,
            [player, against],
            row.first_deal,
            row.matches..until,
            threads,
        );
        row.matches = until;
        row.score += results.score;
        if self.seats == 1 {
            row.cells = Some(row.cells.unwrap_or(0.0) + results.cells);
        }
    }
}

/// Prints how two players do against each other, on the deals for tuning.
fn tune(options: &Options, players: [Player; 2]) {
    for game in games::all() {
        let info = game.info();
        if !options.games.is_empty() && !options.games.iter().any(|it| it == info.key) {
            continue;
        }
        for seats in info.min_seats..=info.max_seats {
            if !options.seats.is_empty() && !options.seats.contains(&seats) {
                continue;
            }
            let began = Instant::now();
            let Results { score, cells } =
                play(game, seats, players, TUNING, 0..options.matches, options.threads);
            let Share { share, low, high, matches } = Share::new(score, options.matches);
            let [one, two] = players;
            println!(
                "{} {seats}, {one} : {two}: {:.1} % ({:.0}–{:.0}), {matches} matches, {:.1} cells, {:.1} s",
                info.key,
                share * 100.0,
                low * 100.0,
                high * 100.0,
                cells / f64::from(matches.max(1)),
                began.elapsed().as_secs_f64()
            );
        }
    }
}

/// The sums of some matches.
#[derive(Debug, Clone, Copy, Default)]
struct Results {
    score: f64,
    cells: f64,
}

/// Plays matches by number. Two players play every deal from both sides.
fn play(
    game: &'static dyn AnyGame,
    seats: u8,
    players: [Player; 2],
    first_deal: u64,
    numbers: std::ops::Range<u32>,
    threads: usize,
) -> Results {
    let next = AtomicU32::new(numbers.start);
    let share = || {
        let mut sum = Results::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return sum;
            }
            let (score, cells) = if seats == 1 {
                solo(game, players[0], first_deal + u64::from(number))
            } else {
                let deal = first_deal + u64::from(number / 2);
                (duel(game, seats, players, deal, number % 2 == 1), 0.0)
            };
            sum.score += score;
            sum.cells += cells;
        }
    };
    std::thread::scope(|scope| {
        let shares: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(share)).collect();
        shares.into_iter().map(|share| share.join().expect("no player panics")).fold(
            Results::default(),
            |one, two| Results { score: one.score + two.score, cells: one.cells + two.cells },
        )
    })
}

/// Whether a solo match was won, and how many cells were filled.
fn solo(game: &'static dyn AnyGame, player: Player, deal: u64) -> (f64, f64) {
    let standings = play_out(Table::open(game, 1, deal), |_| player);
    let filled = standings[0].measures.iter().find(|measured| measured.id == "cells_filled");
    let cells = match filled.map(|measured| &measured.value) {
        Some(MeasureValue::Number(cells)) => f64::from(u32::try_from(*cells).unwrap_or(0)),
        _ => 0.0,
    };
    (f64::from(u8::from(standings[0].won)), cells)
}
