//! Players for every game: information-set Monte Carlo tree search over the rules.
//!
//! Everything in this crate is pure: no IO, no clock, no ambient randomness. A bot gets what happened so far, a level and a
//! seed, and returns a move. It looks only at worlds that its seat cannot tell from the real one
//! ([`AnyGame::worlds`]), so it does not peek: `tests/laws.rs` checks this for every game.
//!
//! The search knows no game. What is known about a particular one is in `games/`, one file each; a game without such a file
//! is played by its rules alone.
//!
//! ```
//! use bots::Position;
//! use domain::{bot::BotLevel, chance::Scripted, erased::GameEvent, game::Context, games, seat::Seat, time::Timestamp};
//!
//! let qwinto = games::find("qwinto").expect("registered");
//! let options = qwinto.options(None).expect("the defaults");
//! let start = qwinto.open(2, &options, qwinto.info().rules_version).expect("valid options");
//! let setup = start.setup(&mut Context { chance: &mut Scripted::new([0]), at: Timestamp::default() });
//! let log: Vec<(Timestamp, &GameEvent)> = setup.iter().map(|event| (Timestamp::default(), event)).collect();
//! let position = Position::new(qwinto, 2, start.as_ref(), &log);
//! let choice = bots::choose(&position, Seat::FIRST, BotLevel::Novice, 7).expect("seat 0 begins");
//! assert!(choice.best().mv.encode().get().contains("roll"));
//! ```

#![warn(missing_docs)]

use domain::{
    bot::BotLevel,
    erased::{AnyGame, AnyState, GameEvent, GameMove},
    matches::Match,
    seat::{Seat, SeatSet},
    time::Timestamp,
};

mod evaluation;
mod games;
mod generator;
mod knowledge;
mod ladder;
mod playout;
mod search;
mod settings;
mod tree;

pub use generator::Generator;
pub use ladder::{Contestant, Ladder, Rating, Row, Share, ladder};
pub use settings::Settings;

/// A match in progress: everything that has happened so far.
#[derive(Clone, Copy)]
pub struct Position<'a> {
    game: &'static dyn AnyGame,
    seats: u8,
    start: &'a dyn AnyState,
    log: &'a [(Timestamp, &'a GameEvent)],
    resigned: SeatSet,
}

impl std::fmt::Debug for Position<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Position").field("events", &self.log.len()).finish_non_exhaustive()
    }
}

impl<'a> Position<'a> {
    /// A position by the state before the first event, and the events since.
    #[must_use]
    pub fn new(
        game: &'static dyn AnyGame,
        seats: u8,
        start: &'a dyn AnyState,
        log: &'a [(Timestamp, &'a GameEvent)],
    ) -> Self {
        Self { game, seats, start, log, resigned: SeatSet::NONE }
    }

    /// A position of a match. `start` is [`Match::opened_state`], and the log contains all events of the game, those before
    /// a fork included.
    #[must_use]
    pub fn of(m: &Match, start: &'a dyn AnyState, log: &'a [(Timestamp, &'a GameEvent)]) -> Self {
        Self { resigned: m.resigned(), ..Self::new(m.game(), m.seat_count(), start, log) }
    }

    /// The same position with seats that have resigned: they are moved for automatically, and cannot win.
    #[must_use]
    pub const fn with_resigned(self, resigned: SeatSet) -> Self {
        Self { resigned, ..self }
    }
}

/// What a bot thinks of a position.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The moves that were considered, the best one first. Never empty.
    pub moves: Vec<Considered>,
    /// How many times a match was played on.
    pub playouts: u32,
    /// How many positions the search remembered.
    pub nodes: u32,
}

impl Choice {
    /// The move to make.
    #[must_use]
    pub fn best(&self) -> &Considered {
        self.moves.first().expect("a choice has a move")
    }
}

/// A move that was considered, and what it is expected to lead to.
#[derive(Debug, Clone)]
pub struct Considered {
    /// The move.
    pub mv: GameMove,
    /// How many playouts began with it.
    pub visits: u32,
    /// What the bot maximises, from 0 to 1: mostly the chance to win, and a little the margin.
    pub value: f64,
    /// The probability that each seat wins; a shared win counts in parts.
    pub wins: Vec<f64>,
    /// The expected place of each seat.
    pub places: Vec<f64>,
}

/// What a bot thinks of a move that was made.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The move that it would have made itself; the same one if it finds none better.
    pub best: Considered,
    /// The move that was made, after as many playouts as the best one.
    pub played: Considered,
    /// Whether there was nothing else to do.
    pub is_forced: bool,
}

impl Judgement {
    /// The chance to win that the move gave away, from 0 to 1.
    #[must_use]
    pub fn cost(&self, seat: Seat) -> f64 {
        let win = |it: &Considered| it.wins.get(seat.index()).copied().unwrap_or_default();
        (win(&self.best) - win(&self.played)).max(0.0)
    }
}

/// What a bot thinks of a move that was made in a position. `None` where [`choose`] has no choice. The same position, move, level
/// and seed give the same judgement, which depends on nothing that the seat could not know.
#[must_use]
pub fn judge(
    position: &Position<'_>,
    seat: Seat,
    played: &GameMove,
    level: BotLevel,
    seed: u64,
) -> Option<Judgement> {
    let settings = Settings::of(level, position.game.info().key);
    search::Search::new(position, seat, settings, seed)?.judge(played)
}

/// The move of a bot. `None` if the seat has no legal move, or if no world was found that agrees with what it knows. The same position, level and seed give the same choice.
#[must_use]
pub fn choose(position: &Position<'_>, seat: Seat, level: BotLevel, seed: u64) -> Option<Choice> {
    choose_with(position, seat, Settings::of(level, position.game.info().key), seed)
}

/// The same with settings that belong to no level, for tuning.
#[must_use]
pub fn choose_with(
    position: &Position<'_>,
    seat: Seat,
    settings: Settings,
    seed: u64,
) -> Option<Choice> {
    search::Search::new(position, seat, settings, seed)?.run()
}
