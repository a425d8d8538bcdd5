//! Matches that play themselves, every seat choosing at random among its legal moves: for demonstration data and benchmarks.

use uuid::Uuid;

use crate::{
    chance::Chance,
    erased::Json,
    matches::{Command, Commit, Create, Match, Refused, Status},
    seat::Seat,
    time::Timestamp,
};

/// A match that plays itself.
#[derive(Debug)]
pub struct Demo {
    /// The match as it stands.
    pub table: Match,
    /// Its log so far.
    pub commits: Vec<Commit>,
    players: Vec<Uuid>,
}

/// What a seat has just done.
#[derive(Debug)]
pub struct Step {
    /// Whose move it was.
    pub seat: Seat,
    /// The move.
    pub mv: Json,
}

impl Demo {
    /// Creates a match and seats its players, the creator first.
    ///
    /// # Errors
    /// When there cannot be such a match.
    pub fn start(create: Create<'_>, players: &[Uuid], at: Timestamp) -> Result<Self, Refused> {
        let (table, _, commit) = Match::create(create, at)?.into_commit(Uuid::nil());
        let mut demo = Self { table, commits: vec![commit], players: players.to_vec() };
        for player in &players[1..] {
            let sit =
                Command::Sit { player: *player, seat: None, entropy: None, invite_code: None };
            demo.carry_out(&sit, at)?;
        }
        Ok(demo)
    }

    /// One of the seats that the match waits for moves; nothing once it is over.
    pub fn step(&mut self, at: Timestamp, luck: &mut dyn Chance) -> Option<Step> {
        if self.table.status() != Status::Playing {
            return None;
        }
        let waiting: Vec<Seat> = self.table.to_act().iter().collect();
        let seat = luck.pick(&waiting);
        let state = self.table.state().expect("a match that is being played has a state");
        let mv = state.random_move(seat, luck).expect("a seat in turn has a legal move").encode();
        let play = Command::Play { player: self.players[seat.index()], mv: mv.clone() };
        self.carry_out(&play, at).expect("a legal move is accepted");
        Some(Step { seat, mv })
    }

    fn carry_out(&mut self, command: &Command, at: Timestamp) -> Result<(), Refused> {
        let (table, _, commit) = self.table.decide(command, at)?.into_commit(Uuid::nil());
        self.table = table;
        self.commits.push(commit);
        Ok(())
    }
}
