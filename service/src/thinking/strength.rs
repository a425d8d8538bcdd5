//! How strong the levels are, as measured by `make ladder`.

use std::{collections::HashMap, sync::LazyLock};

use domain::{bot::BotLevel, erased::AnyGame};
use serde::Deserialize;

/// The results of one pair of players in a number of matches, as `bots/ladder.json` has them.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Row {
    matches: u32,
    /// The part of its duels that the first player won, summed up; in a solo game, how often it won.
    score: f64,
}

/// The rows by game, number of seats, and the two players.
static LADDER: LazyLock<HashMap<String, Row>> =
    LazyLock::new(|| serde_json::from_str(bots::LADDER).unwrap_or_default());

/// How strong a level is in a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    /// The number of seats of the matches that it was measured in.
    pub seats: u8,
    /// By how many Elo points it is stronger than random play. None if it is not measured, and in a solo game.
    pub rating: Option<f64>,
    /// In a solo game, the share of matches that it wins.
    pub win_rate: Option<f64>,
    /// How many matches this is based on.
    pub matches: u32,
}

/// How strong a level is in a game, with as few seats as the game allows.
#[must_use]
pub fn strength(game: &dyn AnyGame, level: BotLevel) -> Strength {
    let (key, seats) = (game.info().key, game.info().min_seats);
    measured(&LADDER, key, seats, level)
}

fn measured(ladder: &HashMap<String, Row>, game: &str, seats: u8, level: BotLevel) -> Strength {
    let row = |one: &str, two: &str| {
        ladder.get(&format!("{game} {seats} {one} {two}")).filter(|row| row.matches > 0)
    };
    if seats == 1 {
        let row = row(level.id(), level.id());
        let win_rate = row.map(|row| row.score / f64::from(row.matches));
        return Strength { seats, rating: None, win_rate, matches: row.map_or(0, |it| it.matches) };
    }
    // Each level was compared with the one below it, and the lowest with random play.
    let mut below = "random";
    let (mut rating, mut matches) = (Some(0.0), 0);
    for rung in BotLevel::ALL.into_iter().take_while(|rung| *rung <= level) {
        let row = row(rung.id(), below);
        rating = rating.zip(row).map(|(sum, row)| sum + elo_difference(row));
        matches += row.map_or(0, |row| row.matches);
        below = rung.id();
    }
    Strength { seats, rating, win_rate: None, matches }
}

/// The difference in Elo points that a result suggests. Half a win is added to both sides, so that a clean sweep stays finite.
fn elo_difference(row: &Row) -> f64 {
    let expected = (row.score + 0.5) / (f64::from(row.matches) + 1.0);
    400.0 * (expected / (1.0 - expected)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_add_up_along_the_ladder() {
        let ladder: HashMap<String, Row> = serde_json::from_str(
            r#"{ "g 2 novice random": { "matches": 9, "score": 8.5, "progress": 0.0 },
                 "g 2 casual novice": { "matches": 99, "score": 49.5, "progress": 0.0 },
                 "g 2 expert club": { "matches": 9, "score": 8.5, "progress": 0.0 },
                 "s 1 club club": { "matches": 4, "score": 1.0, "progress": 8.0 } }"#,
        )
        .unwrap();
        let of = |game, seats, level| measured(&ladder, game, seats, level);
        let novice = of("g", 2, BotLevel::Novice);
        assert!((novice.rating.unwrap() - 400.0 * 9.0_f64.log10()).abs() < 1e-9);
        let casual = of("g", 2, BotLevel::Casual);
        assert!((casual.rating.unwrap() - novice.rating.unwrap()).abs() < 1e-9);
        assert_eq!(casual.matches, 108);
        assert_eq!(of("g", 2, BotLevel::Expert).rating, None, "club was not measured");
        assert_eq!(of("s", 1, BotLevel::Club).win_rate, Some(0.25));
        assert_eq!(of("s", 1, BotLevel::Master).win_rate, None);
    }

    #[test]
    fn the_ladder_can_be_read() {
        assert!(LADDER.len() > 10);
    }
}
