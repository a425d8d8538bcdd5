//! The levels of bots.

use bots::{Contestant, Ladder};
use domain::{bot::BotLevel, erased::AnyGame, games};
use serde::Serialize;
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
    pub rating: Option<i32>,
    /// Half of the 95 % interval of `rating`.
    #[schema(example = 120)]
    pub margin: Option<i32>,
    /// The share of matches that it wins in a game for one player; `null` in other games, and if that has not been measured.
    #[schema(minimum = 0, maximum = 1)]
    pub win_rate: Option<f64>,
    /// The number of matches with this level in which this was measured.
    pub matches: u32,
}

impl BotList {
    /// The levels and how strong they are.
    #[must_use]
    pub fn new() -> Self {
        let bot = |level: BotLevel| BotDocument {
            level,
            player: Profile::from(level),
            games: games::all().map(|game| BotStrength::new(bots::ladder(), game, level)).collect(),
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
    fn new(ladder: &Ladder, game: &dyn AnyGame, level: BotLevel) -> Self {
        let (game, is_solo) = (game.info().key, game.info().max_seats == 1);
        let seats = if is_solo { 1 } else { 2 };
        let rating = ladder.rating(game, level).filter(|_| !is_solo);
        let won = ladder.completion(game, Contestant::Bot(level)).filter(|_| is_solo);
        let rows = ladder.rows.iter().filter(|row| {
            (row.game.as_str(), row.seats, row.player) == (game, seats, Contestant::Bot(level))
        });
        Self {
            game,
            seats,
            rating: rating.map(|rating| rating.points),
            margin: rating.map(|rating| rating.margin),
            win_rate: won.map(|won| won.share),
            matches: rows.map(|row| row.matches).sum(),
        }
    }
}
