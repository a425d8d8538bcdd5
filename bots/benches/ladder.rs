//! Plays the levels against each other and writes the table of bots/README.md: `make ladder`.
//!
//! Results are kept in bots/ladder.json, so that a run continues where the last one ended.

mod arena;
#[path = "arena/duel.rs"]
mod duel;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
};

use arena::{Player, Table};
use bots::Level;
use clap::Parser;
use domain::{erased::AnyGame, games, outcome::MeasureValue};
use duel::{duel, play_out};
use serde_json::{Value, json};

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
    /// Matches per pair with two seats, or of each level of a solo game; a quarter with more seats.
    #[arg(long, default_value_t = 100)]
    matches: u64,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Forget earlier results of these games.
    #[arg(long)]
    fresh: bool,
    /// Only print how these two players do against each other, such as `club,random`.
    #[arg(long, value_delimiter = ',')]
    duel: Vec<Player>,
    #[arg(long, hide = true)]
    bench: bool,
}

/// The sum of the scores of some matches; a score is between 0 and 1.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    matches: u64,
    score: f64,
    /// Solo: the sum of the cells filled.
    progress: f64,
}

impl Tally {
    fn plus(self, other: Self) -> Self {
        Self {
            matches: self.matches + other.matches,
            score: self.score + other.score,
            progress: self.progress + other.progress,
        }
    }
}

fn main() {
    let options = Options::parse();
    let chosen = |game: &&'static dyn AnyGame| {
        options.games.is_empty() || options.games.iter().any(|key| key == game.info().key)
    };
    let mut book = Book::open();
    for game in games::all().filter(chosen) {
        let info = game.info();
        if options.fresh {
            book.0.retain(|key, _| !key.starts_with(&format!("{} ", info.key)));
        }
        for seats in info.min_seats..=info.max_seats {
            if !options.seats.is_empty() && !options.seats.contains(&seats) {
                continue;
            }
            for [one, two] in pairs(&options, seats) {
                let matches = if seats > 2 { options.matches.div_ceil(4) } else { options.matches };
                let key = format!("{} {seats} {one} {two}", info.key);
                let before = book.0.get(&key).copied().unwrap_or_default();
                let result = play(game, seats, [one, two], before, matches, options.threads);
                println!("{key}: {}", line(result));
                if options.duel.is_empty() {
                    book.0.insert(key, result);
                    book.save();
                }
            }
        }
    }
    if options.duel.is_empty() {
        book.write_readme();
    }
}

/// Who meets whom. In a solo game, a player is only compared with itself.
fn pairs(options: &Options, seats: u8) -> Vec<[Player; 2]> {
    if let [one, two] = options.duel[..] {
        return vec![[one, two]];
    }
    let ladder: Vec<Player> =
        [Player::Random].into_iter().chain(Level::ALL.map(Player::Bot)).collect();
    let mut pairs: Vec<[Player; 2]> = if seats == 1 {
        ladder.iter().map(|player| [*player, *player]).collect()
    } else {
        let mut pairs: Vec<[Player; 2]> =
            ladder.array_windows().map(|[below, above]| [*above, *below]).collect();
        pairs.push([Player::Bot(Level::Master), Player::Random]);
        pairs
    };
    pairs.retain(|[one, _]| options.level.as_ref().is_none_or(|level| one.to_string() == *level));
    pairs
}

/// Plays the matches that are missing.
fn play(
    game: &'static dyn AnyGame,
    seats: u8,
    players: [Player; 2],
    before: Tally,
    matches: u64,
    threads: usize,
) -> Tally {
    let next = AtomicU64::new(before.matches);
    let share = || {
        let mut tally = Tally::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= matches {
                return tally;
            }
            let (score, progress) = if seats == 1 {
                solo(game, players[0], number)
            } else {
                (duel(game, seats, players, number), 0.0)
            };
            tally = tally.plus(Tally { matches: 1, score, progress });
        }
    };
    std::thread::scope(|scope| {
        let shares: Vec<_> = (0..threads).map(|_| scope.spawn(share)).collect();
        let shares = shares.into_iter().map(|share| share.join().expect("no player panics"));
        shares.fold(before, Tally::plus)
    })
}

/// Whether a solo match was won, and how many cells were filled.
fn solo(game: &'static dyn AnyGame, player: Player, number: u64) -> (f64, f64) {
    let standings = play_out(Table::open(game, 1, 1000 + number), |_| player);
    let filled = standings[0].measures.iter().find(|measured| measured.id == "cells_filled");
    let progress = match filled.map(|measured| &measured.value) {
        Some(MeasureValue::Number(cells)) => f64::from(u32::try_from(*cells).unwrap_or(0)),
        _ => 0.0,
    };
    (f64::from(u8::from(standings[0].won)), progress)
}

/// The Wilson interval at 95 %. Shared places make it a little wider than necessary.
fn wilson(score: f64, matches: f64) -> (f64, f64) {
    const Z: f64 = 1.96;
    let rate = score / matches;
    let centre = rate + Z * Z / (2.0 * matches);
    let width = Z * (rate * (1.0 - rate) / matches + Z * Z / (4.0 * matches * matches)).sqrt();
    let scale = 1.0 + Z * Z / matches;
    ((centre - width) / scale, (centre + width) / scale)
}

fn line(tally: Tally) -> String {
    let matches = f64::from(u32::try_from(tally.matches).unwrap_or(u32::MAX)).max(1.0);
    let (low, high) = wilson(tally.score, matches);
    let percent = |rate: f64| format!("{:.0}", rate.max(0.0) * 100.0);
    let rate = percent(tally.score / matches);
    let progress = if tally.progress > 0.0 {
        format!(", {:.1} cells", tally.progress / matches)
    } else {
        String::new()
    };
    format!("{rate} % ({}–{}), {} matches{progress}", percent(low), percent(high), tally.matches)
}

/// All results, by game, seats and players.
struct Book(BTreeMap<String, Tally>);

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

impl Book {
    fn open() -> Self {
        let text = std::fs::read_to_string(file("ladder.json")).unwrap_or_default();
        let rows: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap_or_default();
        let tally = |row: &Value| Tally {
            matches: row["matches"].as_u64().unwrap_or(0),
            score: row["score"].as_f64().unwrap_or(0.0),
            progress: row["progress"].as_f64().unwrap_or(0.0),
        };
        Self(rows.iter().map(|(key, row)| (key.clone(), tally(row))).collect())
    }

    fn save(&self) {
        let row = |it: &Tally| json!({ "matches": it.matches, "score": it.score, "progress": it.progress });
        let rows: BTreeMap<&String, Value> =
            self.0.iter().map(|(key, it)| (key, row(it))).collect();
        let text = serde_json::to_string_pretty(&rows).expect("plain data");
        std::fs::write(file("ladder.json"), text + "\n").expect("bots/ladder.json can be written");
    }

    fn get(&self, game: &str, seats: u8, one: &str, two: &str) -> String {
        self.0.get(&format!("{game} {seats} {one} {two}")).map_or("–".to_owned(), |it| line(*it))
    }

    /// Replaces what is between the two marks.
    fn write_readme(&self) {
        let readme = std::fs::read_to_string(file("README.md")).expect("bots/README.md");
        let (before, rest) = readme.split_once("<!-- ladder -->\n").expect("the mark of the table");
        let (_, after) = rest.split_once("<!-- end -->").expect("the mark of the end");
        let text = format!("{before}<!-- ladder -->\n{}<!-- end -->{after}", self.tables());
        std::fs::write(file("README.md"), text).expect("bots/README.md can be written");
    }

    fn tables(&self) -> String {
        let pairs = [
            ("novice", "random"),
            ("casual", "novice"),
            ("club", "casual"),
            ("expert", "club"),
            ("master", "expert"),
            ("master", "random"),
        ];
        let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let ruler = |columns: usize| format!("|{}\n", "---|".repeat(columns));
        let played: Vec<_> = games::all().map(AnyGame::info).collect();
        let together = played.iter().flat_map(|game| {
            (game.min_seats.max(2)..=game.max_seats).map(move |seats| {
                let cells = pairs.map(|(one, two)| self.get(game.key, seats, one, two));
                row(&[vec![game.key.to_owned(), seats.to_string()], cells.to_vec()].concat())
            })
        });
        let levels = ["random", "novice", "casual", "club", "expert", "master"];
        let alone = played.iter().filter(|game| game.min_seats == 1).map(|game| {
            let cells = levels.map(|level| self.get(game.key, 1, level, level));
            row(&[vec![game.key.to_owned()], cells.to_vec()].concat())
        });
        let named = pairs.map(|(one, two)| format!("{one} : {two}")).to_vec();
        [
            "\n".to_owned(),
            row(&[vec!["game".to_owned(), "seats".to_owned()], named].concat()),
            ruler(2 + pairs.len()),
            together.collect(),
            "\nSolo games: matches won, and cells filled.\n\n".to_owned(),
            row(&[vec!["game".to_owned()], levels.map(str::to_owned).to_vec()].concat()),
            ruler(1 + levels.len()),
            alone.collect(),
            "\n".to_owned(),
        ]
        .concat()
    }
}
