//! A match in memory, with bots in all seats but the first.

use bots::Choice;
use domain::{
    bot::BotLevel,
    erased::{AnyGame, GameEvent, Json},
    matches::{BotSeat, Command, Commit, Create, Event, Match, Refused},
    seat::Seat,
    text::{Lang, Text},
    time::Timestamp,
};
use service::{clock::Clock, secret};
use uuid::Uuid;

use super::ME;

/// A match and its log.
pub(super) struct Table {
    now: Match,
    commits: Vec<Commit>,
    clock: Clock,
    person: Uuid,
}

/// Why a move is refused.
pub(super) enum Reason {
    Rule(Text),
    Other,
}

impl Reason {
    pub(super) fn get(&self, lang: Lang) -> String {
        match self {
            Self::Rule(text) => text.get(lang).to_owned(),
            Self::Other => lang.pick("This is not possible.", "No se puede hacer eso.").to_owned(),
        }
    }
}

impl From<Refused> for Reason {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Rule(info) => Self::Rule(info.text),
            _ => Self::Other,
        }
    }
}

impl Table {
    /// A match that has started, and its first events.
    pub(super) fn open(
        game: &'static dyn AnyGame,
        seats: u8,
        level: BotLevel,
    ) -> (Self, Vec<Event>) {
        let clock = Clock::system();
        let person = clock.new_id();
        let bots = Seat::all(seats).skip(1).map(|seat| BotSeat { seat, level }).collect();
        let create = Create {
            bots,
            hints: true,
            ..Create::new(clock.new_id(), game, seats, person, secret::bytes::<32>().into())
        };
        let decision = Match::create(create, clock.now()).expect("the number of seats was checked");
        let (now, events, commit) = decision.into_commit(Uuid::nil());
        (Self { now, commits: vec![commit], clock, person }, events)
    }

    /// The match as it is now.
    pub(super) fn now(&self) -> &Match {
        &self.now
    }

    /// What a bot of this level thinks of the decision of a seat.
    pub(super) fn think(&self, seat: Seat, level: BotLevel) -> Option<Choice> {
        let events = self.now.game_log(&self.commits).expect("these commits were written just now");
        let log: Vec<(Timestamp, &GameEvent)> =
            events.iter().map(|(at, event)| (*at, event)).collect();
        let start = self.now.opened_state();
        let position = bots::Position::of(&self.now, start.as_ref(), &log);
        bots::choose(&position, seat, level, self.now.bot_seed(seat))
    }

    /// Makes the move of a bot, if the match waits for one, unless it is the person's turn too.
    pub(super) fn bot_move(&mut self) -> Option<Vec<Event>> {
        if self.now.to_act().contains(ME) {
            return None;
        }
        let seat = self.now.bots_to_act().iter().next()?;
        let level = self.now.bot_in(seat)?;
        let mv = self.think(seat, level)?.best().mv.encode();
        self.execute(&Command::PlayForBot { level, seat, mv }).ok()
    }

    /// Makes a move of the person.
    pub(super) fn play(&mut self, mv: Json) -> Result<Vec<Event>, Reason> {
        self.execute(&Command::Play { player: self.person, mv })
    }

    fn execute(&mut self, command: &Command) -> Result<Vec<Event>, Reason> {
        let decision = self.now.decide(command, self.clock.now())?;
        let (now, events, commit) = decision.into_commit(Uuid::nil());
        self.now = now;
        self.commits.push(commit);
        Ok(events)
    }
}
