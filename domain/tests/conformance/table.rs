//! Random tables: a match of any game, played by seats that choose among their legal moves.

use std::collections::BTreeMap;

use domain::{
    chance::{Chance, Keyed, Seed},
    erased::{AnyGame, AnyState, Json},
    matches::{Command, Commit, Create, Event, Fork, Match, OnTimeout, Origin, Status, TimeLimit},
    seat::{Seat, Viewer},
    time::Timestamp,
};
use serde_json::value::RawValue;
use uuid::Uuid;

/// No registered game needs more commands than this when seats move at random.
pub const MAX_COMMANDS: usize = 20_000;

/// A match with its whole history.
pub struct Table {
    pub now: Match,
    pub commits: Vec<Commit>,
    pub events: Vec<Event>,
    luck: Keyed,
    clock: i64,
}

pub fn player(seat: Seat) -> Uuid {
    Uuid::from_u128(100 + u128::from(seat.number()))
}

/// A generator for the choices of tests, the same in every run.
pub fn luck(seed: u64) -> Keyed {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_be_bytes());
    Keyed::new(Seed::from(bytes).match_key(Uuid::nil(), &[]), 0)
}

/// Every number of seats that the game allows, each with every value of its options' enums.
pub fn tables(game: &'static dyn AnyGame) -> Vec<(u8, Option<Box<RawValue>>)> {
    let info = game.info();
    (info.min_seats..=info.max_seats)
        .flat_map(|seats| option_sets(game).into_iter().map(move |options| (seats, options)))
        .collect()
}

/// The default options, and every value of each enum among the options.
fn option_sets(game: &'static dyn AnyGame) -> Vec<Option<Box<RawValue>>> {
    let schema = game.schemas().options.standalone();
    let resolve = |value: &serde_json::Value| -> serde_json::Value {
        match value["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
            Some(name) => schema["$defs"][name].clone(),
            None => value.clone(),
        }
    };
    let mut sets = vec![None];
    if let Some(properties) = resolve(&schema)["properties"].as_object() {
        for (name, property) in properties {
            for value in resolve(property)["enum"].as_array().into_iter().flatten() {
                let object = serde_json::json!({ name: value });
                sets.push(Some(serde_json::value::to_raw_value(&object).unwrap()));
            }
        }
    }
    sets
}

impl Table {
    /// A match that has started.
    pub fn open(
        game: &'static dyn AnyGame,
        seats: u8,
        options: Option<&RawValue>,
        seed: u64,
    ) -> Self {
        Self::opened(game, seats, options, seed).seated()
    }

    /// A match in which seat 0 is taken.
    pub fn opened(
        game: &'static dyn AnyGame,
        seats: u8,
        options: Option<&RawValue>,
        seed: u64,
    ) -> Self {
        let mut bytes = [1; 32];
        bytes[..8].copy_from_slice(&seed.to_be_bytes());
        let create = Create {
            options,
            entropy: Some("zero".to_owned()),
            ..Create::new(
                Uuid::from_u128(seed.into()),
                game,
                seats,
                player(Seat::FIRST),
                Seed::from(bytes),
            )
        };
        Self::create(create, seed)
    }

    /// A fork of another match.
    pub fn fork(other: &Self, fork: Fork, seed: u64) -> Self {
        let (game, seats) = (other.now.game(), other.now.seat_count());
        let id = Uuid::from_u128(seed.into());
        let create = Create {
            options: Some(other.now.options()),
            origin: Some(Origin::Fork(fork)),
            ..Create::new(id, game, seats, player(Seat::FIRST), Seed::from([9; 32]))
        };
        Self::create(create, seed).seated()
    }

    fn create(create: Create<'_>, seed: u64) -> Self {
        let decision = Match::create(create, Timestamp::from_micros(0)).expect("a legal table");
        let (now, events, commit) = decision.into_commit(Uuid::nil());
        Self { now, commits: vec![commit], events, luck: luck(seed), clock: 0 }
    }

    /// The same with everybody seated.
    fn seated(mut self) -> Self {
        for seat in Seat::all(self.now.seat_count()).skip(1) {
            self.command(&Command::Sit {
                player: player(seat),
                seat: Some(seat),
                entropy: None,
                invite_code: None,
            });
        }
        self
    }

    /// A match with a time limit of one minute per decision.
    pub fn timed(game: &'static dyn AnyGame, seats: u8, on_timeout: OnTimeout, seed: u64) -> Self {
        let id = Uuid::from_u128(seed.into());
        let create = Create {
            time_limit: TimeLimit::new(60, on_timeout),
            ..Create::new(id, game, seats, player(Seat::FIRST), Seed::from([3; 32]))
        };
        Self::create(create, seed).seated()
    }

    /// Advances the time past the next deadline.
    pub fn sleep(&mut self) {
        let due = self.now.due_at().expect("a deadline");
        assert!(due.micros() <= self.now.updated_at().micros() + 60_000_000);
        self.clock = due.micros() - 1_000_000;
        self.command(&Command::TimeOut);
    }

    pub fn command(&mut self, command: &Command) {
        self.clock += 1_000_000;
        let decision = self
            .now
            .decide(command, Timestamp::from_micros(self.clock))
            .unwrap_or_else(|refused| panic!("{command:?} was refused: {refused:?}"));
        let id = Uuid::from_u128(self.commits.len() as u128);
        let (now, events, commit) = decision.into_commit(id);
        self.now = now;
        self.commits.push(commit);
        self.events.extend(events);
    }

    pub fn play(&mut self, seat: Seat, mv: Json) {
        self.command(&Command::Play { player: player(seat), mv });
    }

    pub fn state(&self) -> &dyn AnyState {
        self.now.state().expect("a match that has started")
    }

    pub fn is_over(&self) -> bool {
        self.now.status() != Status::Playing
    }

    /// A random seat that the match is waiting for, and one of its moves.
    pub fn random_choice(&mut self) -> (Seat, Json) {
        let seats: Vec<Seat> = self.now.to_act().iter().collect();
        assert!(!seats.is_empty(), "nobody can act, but the match is not over");
        let chance: &mut dyn Chance = &mut self.luck;
        let seat = chance.pick(&seats);
        let state = self.now.state().expect("a match that has started");
        let mv = state.random_move(seat, chance).expect("a seat that is waited for has a move");
        (seat, mv.encode())
    }

    /// Plays one random move.
    pub fn step(&mut self) {
        let (seat, mv) = self.random_choice();
        self.play(seat, mv);
    }

    /// Plays at random to the end, calling `look` before every move.
    pub fn play_out(&mut self, mut look: impl FnMut(&mut Self)) {
        for _ in 0..MAX_COMMANDS {
            if self.is_over() {
                return;
            }
            look(self);
            if !self.is_over() {
                self.step();
            }
        }
        panic!("{} did not end after {MAX_COMMANDS} moves", self.now.game().info().key);
    }

    /// The current views of all viewers.
    pub fn views(&self) -> BTreeMap<String, String> {
        Viewer::at_table(self.now.seat_count())
            .map(|viewer| (format!("{viewer:?}"), self.state().view(viewer).get().to_owned()))
            .collect()
    }
}

/// Tries a move without making it.
pub fn attempt(state: &dyn AnyState, seat: Seat, mv: &RawValue) -> Result<String, String> {
    let mut chance = luck(7);
    let mut cx =
        domain::game::Context { chance: &mut chance, at: Timestamp::from_micros(9_000_000_000) };
    let mv = state.read_move(mv).map_err(|shape| format!("malformed: {shape}"))?;
    match state.decide(seat, &mv, &mut cx) {
        Ok(_) => Ok(mv.encode().get().to_owned()),
        Err(refusal) => Err(refusal.code.to_owned()),
    }
}
