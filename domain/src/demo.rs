//! Matches that are played without players, mostly with random legal moves, for demonstration data and benchmarks.

use uuid::Uuid;

use crate::{
    chance::Chance,
    erased::Json,
    matches::{Command, Commit, Create, Match, Refused, Status},
    seat::Seat,
    time::Timestamp,
};

/// A match without players.
#[derive(Debug)]
pub struct Demo {
    /// The match so far.
    pub game_match: Match,
    /// Its log so far.
    pub commits: Vec<Commit>,
    players: Vec<Uuid>,
}

/// A move that was made.
#[derive(Debug)]
pub struct DemoMove {
    /// The seat that made it.
    pub seat: Seat,
    /// The move.
    pub mv: Json,
}

impl Demo {
    /// Creates a match and seats its players, the creator first.
    ///
    /// # Errors
    /// If the match cannot be created or a player cannot sit down.
    pub fn start(create: Create<'_>, players: &[Uuid], at: Timestamp) -> Result<Self, Refused> {
        let (game_match, _, commit) = Match::create(create, at)?.into_commit(Uuid::nil());
        let mut demo = Self { game_match, commits: vec![commit], players: players.to_vec() };
        for player in &players[1..] {
            let sit =
                Command::Sit { player: *player, seat: None, entropy: None, invite_code: None };
            demo.carry_out(&sit, at)?;
        }
        Ok(demo)
    }

    /// Makes a random move for one of the seats that the match waits for; `None` once it is over.
    pub fn step(&mut self, at: Timestamp, luck: &mut dyn Chance) -> Option<DemoMove> {
        self.step_by(at, luck, |demo, seat, luck| {
            let state = demo.game_match.state().expect("a match that is being played has a state");
            state.random_move(seat, luck).map(|mv| mv.encode())
        })
    }

    /// Makes a move that is chosen by `choose` for one of the seats that the match waits for; `None` once it is over.
    pub fn step_by(
        &mut self,
        at: Timestamp,
        luck: &mut dyn Chance,
        choose: impl FnOnce(&Self, Seat, &mut dyn Chance) -> Option<Json>,
    ) -> Option<DemoMove> {
        if self.game_match.status() != Status::Playing {
            return None;
        }
        let waiting: Vec<Seat> = self.game_match.to_act().iter().collect();
        let seat = luck.pick(&waiting);
        let mv = choose(self, seat, luck).expect("a seat in turn has a legal move");
        let play = Command::Play { player: self.players[seat.index()], mv: mv.clone() };
        self.carry_out(&play, at).expect("a legal move is accepted");
        Some(DemoMove { seat, mv })
    }

    fn carry_out(&mut self, command: &Command, at: Timestamp) -> Result<(), Refused> {
        let (game_match, _, commit) = self.game_match.decide(command, at)?.into_commit(Uuid::nil());
        self.game_match = game_match;
        self.commits.push(commit);
        Ok(())
    }
}
