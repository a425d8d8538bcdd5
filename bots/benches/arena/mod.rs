//! Matches between bots, and bots that move at random.

use std::{fmt, str::FromStr};

use bots::{Contestant, Generator, Position, Settings};
use domain::{
    chance::Chance,
    erased::{AnyGame, AnyState, GameEvent, GameMove},
    game::Context,
    seat::Seat,
    time::Timestamp,
};

/// A match that is not over after so many moves is scored as it stands. Only random players get there.
const LONGEST: usize = 20_000;

/// A player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Player {
    /// Moves uniformly at random, or as a level means it.
    Listed(Contestant),
    /// A bot with settings of its own, for tuning: `p500h20w32k` or `p500h20w32`.
    Tuned(Settings),
}

impl Player {
    /// How it thinks in a game. `None` moves at random.
    pub fn settings(self, game: &str) -> Option<Settings> {
        match self {
            Self::Listed(contestant) => contestant.settings(game),
            Self::Tuned(settings) => Some(settings),
        }
    }
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(contestant) = Contestant::try_from(text.to_owned()) {
            return Ok(Self::Listed(contestant));
        }
        let field = |letter: char| -> Option<u32> {
            let digits = &text[text.find(letter)? + 1..];
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            digits[..end].parse().ok()
        };
        match (field('p'), field('h'), field('w')) {
            (Some(playouts), Some(horizon), Some(width)) => Ok(Self::Tuned(Settings {
                playouts,
                horizon,
                width: width as usize,
                knowledge: text.ends_with('k'),
            })),
            _ => {
                Err(format!("{text} is neither `random` nor a level nor settings like p500h20w32k"))
            }
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed(contestant) => contestant.fmt(f),
            Self::Tuned(settings) => settings.fmt(f),
        }
    }
}

/// The playouts and the nodes of a search.
pub type Effort = (u32, u32);

/// A match that is being played.
pub struct Table {
    game: &'static dyn AnyGame,
    start: Box<dyn AnyState>,
    /// The state of the game.
    pub state: Box<dyn AnyState>,
    log: Vec<GameEvent>,
    seats: u8,
    luck: Generator,
    seed: u64,
}

impl Table {
    /// A match with default options that has started.
    pub fn open(game: &'static dyn AnyGame, seats: u8, seed: u64) -> Self {
        let options = game.options(None).expect("the defaults");
        let start = game.open(seats, &options, game.info().rules_version).expect("valid options");
        let mut luck = Generator::new(seed).branch(1);
        let log = start.setup(&mut Context { chance: &mut luck, at: Timestamp::default() });
        let mut state = start.clone();
        for event in &log {
            state.evolve(event, Timestamp::default());
        }
        Self { game, start, state, log, seats, luck, seed }
    }

    /// Whether it is over, or has taken too long.
    pub fn is_over(&self) -> bool {
        self.state.finished() || self.log.len() > LONGEST
    }

    /// The seat that moves next.
    pub fn next_seat(&self) -> Seat {
        self.state.to_act().iter().next().expect("somebody can act until the match is over")
    }

    /// What a player would do in a seat.
    pub fn decide(&mut self, seat: Seat, player: Player) -> (GameMove, Effort) {
        let Some(settings) = player.settings(self.game.info().key) else {
            let mut moves: Vec<GameMove> = self.state.moves(seat).collect();
            let chance: &mut dyn Chance = &mut self.luck;
            let mv = moves.swap_remove(chance.index(moves.len()));
            return (mv, (0, 0));
        };
        // Not the seed of the match, or a bot would imagine the luck that it is going to have.
        let seed = !self.seed ^ (self.log.len() as u64) << 32;
        let log: Vec<(Timestamp, &GameEvent)> =
            self.log.iter().map(|event| (Timestamp::default(), event)).collect();
        let position = Position::new(self.game, self.seats, self.start.as_ref(), &log);
        let choice = bots::choose_with(&position, seat, settings, seed).expect("a legal move");
        (choice.best().mv.clone(), (choice.playouts, choice.nodes))
    }

    /// Makes a move.
    pub fn play(&mut self, seat: Seat, mv: &GameMove) {
        let mut cx = Context { chance: &mut self.luck, at: Timestamp::default() };
        let events = self.state.decide(seat, mv, &mut cx).expect("bots make legal moves");
        for event in events {
            self.state.evolve(&event, Timestamp::default());
            self.log.push(event);
        }
    }
}
