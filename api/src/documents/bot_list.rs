//! The levels of bots.

use domain::{bot::BotLevel, games};
use serde::Serialize;
use service::thinking::{Strength, strength};
use utoipa::ToSchema;

use super::Profile;

/// All levels of bots, the weakest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct BotList {
    /// The levels.
    pub bots: Vec<BotDocument>,
}

/// A level of bots.
#[derive(Debug, Serialize, ToSchema)]
pub struct BotDocument {
    /// The level, for `bots` of `POST /v1/matches` and `bot` of `POST /v1/matches/{id}/seats`.
    pub level: BotLevel,
    /// The player that sits in matches. It is the same on every server.
    pub player: Profile,
    /// How strong it is in every game.
    pub games: Vec<BotStrength>,
}

/// How strong a level is in a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct BotStrength {
    /// The key of the game.
    #[schema(example = "qwinto")]
    pub game: &'static str,
    /// The number of seats of the matches in which this was measured.
    #[schema(minimum = 1, maximum = 8)]
    pub seats: u8,
    /// How much stronger than random play it is, in Elo points; `null` if that has not been measured, and in games for one player.
    #[schema(example = 512)]
    pub rating: Option<i64>,
    /// The share of matches that it wins in a game for one player; `null` in other games, and if that has not been measured.
    #[schema(minimum = 0, maximum = 1)]
    pub win_rate: Option<f64>,
    /// The number of measured matches.
    pub matches: u32,
}

impl BotList {
    /// The levels and how strong they are.
    #[must_use]
    pub fn new() -> Self {
        let bot = |level: BotLevel| BotDocument {
            level,
            player: Profile::from(level),
            games: games::all()
                .map(|game| BotStrength::new(game.info().key, strength(game, level)))
                .collect(),
        };
        Self { bots: BotLevel::ALL.into_iter().map(bot).collect() }
    }
}

impl Default for BotList {
    fn default() -> Self {
        Self::new()
    }
}

impl BotStrength {
    fn new(game: &'static str, strength: Strength) -> Self {
        let Strength { seats, rating, win_rate, matches } = strength;
        #[expect(clippy::cast_possible_truncation, reason = "a few thousand at most")]
        let rating = rating.map(|rating| rating.round() as i64);
        Self { game, seats, rating, win_rate, matches }
    }
}
