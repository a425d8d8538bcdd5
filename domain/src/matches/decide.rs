//! What a command leads to.

use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::{
    Command, Commit, Create, Event, Match, MatchRefusal, Refused, Status, Visibility,
    commit::{encode, link},
    event::{Created, Kind, Life},
};
use crate::{
    chance::{Chance, Draw, Keyed},
    game::{Context, Nature},
    outcome::{Ending, Outcome, Standing},
    seat::{Seat, SeatSet},
    time::Timestamp,
};

/// How many moves resigned seats may make in one go; no game comes near it.
const AUTOPLAY_LIMIT: usize = 10_000;

/// What a command leads to: the events, and the match after them.
#[derive(Debug)]
pub struct Decision {
    /// The match after the events.
    pub next: Match,
    /// What happened.
    pub events: Vec<Event>,
    draft: Draft,
}

/// A commit that still lacks its command id.
#[derive(Debug)]
pub struct Draft {
    command: Box<RawValue>,
    player: Uuid,
    draws: Vec<Draw>,
    seq: u64,
    at: Timestamp,
    previous: [u8; 32],
}

impl Decision {
    /// The row to write, and the match as it is once it has been written.
    #[must_use]
    pub fn into_commit(self, command_id: Uuid) -> (Match, Vec<Event>, Commit) {
        let Self { mut next, events, draft } = self;
        let mut commit = Commit {
            match_id: next.id(),
            seq: draft.seq,
            count: u32::try_from(events.len()).unwrap_or(u32::MAX),
            at: draft.at,
            player: draft.player,
            command_id,
            payload: encode(&draft.command, &draft.draws, &events),
            hash: draft.previous,
        };
        commit.hash = link(&draft.previous, &commit);
        next.hash = commit.hash;
        (next, events, commit)
    }

    /// What was asked for, canonically; a retry has to ask for the same.
    #[must_use]
    pub fn command(&self) -> &RawValue {
        &self.draft.command
    }

    /// Whether everything that happened follows from what its player knew: no luck, nothing hidden shown.
    #[must_use]
    pub fn is_foreseeable(&self) -> bool {
        self.events.iter().all(|event| event.nature() == Nature::Choice)
    }
}

/// A match in the middle of a decision.
struct Stage {
    next: Match,
    events: Vec<Event>,
    at: Timestamp,
}

impl Stage {
    fn new(table: &Match, at: Timestamp) -> Self {
        // A clock that was set back does not make time run backwards in a match.
        Self { next: table.clone(), events: Vec::new(), at: at.max(table.at) }
    }

    fn emit(&mut self, kind: Kind) {
        let event = Event(kind);
        self.next.evolve(&event, self.at);
        self.events.push(event);
    }

    fn life(&mut self, life: Life) {
        self.emit(Kind::Life(life));
    }

    /// Takes a seat, and starts the match when it was the last one (M3).
    fn sit(&mut self, seat: Seat, player: Uuid, entropy: Option<String>, chance: &mut Luck) {
        self.life(Life::SeatTaken { seat, player, entropy });
        if self.next.seats.iter().any(Option::is_none) {
            return;
        }
        self.life(Life::MatchStarted);
        let at = self.at;
        let Some(state) = self.next.state.clone() else { return };
        for event in state.setup(&mut Context { chance: chance.of(&self.next), at }) {
            self.emit(Kind::Game { by: None, event });
        }
        self.finish_by_rules();
    }

    fn play(
        &mut self,
        seat: Seat,
        mv: &RawValue,
        chance: &mut Luck,
    ) -> Result<Box<RawValue>, Refused> {
        let state = self.next.state.clone().ok_or(MatchRefusal::NotStarted)?;
        let made =
            state.decide(seat, mv, &mut Context { chance: chance.of(&self.next), at: self.at })?;
        for event in made.events {
            self.emit(Kind::Game { by: Some(seat), event });
        }
        Ok(made.mv)
    }

    /// Moves for the seats that have resigned, until the match waits for somebody else or is over (M6).
    fn autoplay(&mut self, chance: &mut Luck) {
        for _ in 0..AUTOPLAY_LIMIT {
            if self.finish_by_rules() {
                return;
            }
            let resigned = self.next.resigned();
            let Some(seat) = self.next.to_act().iter().find(|seat| resigned.contains(*seat)) else {
                return;
            };
            let Some(state) = self.next.state.clone() else { return };
            let Some(mv) = state.random_move(seat, chance.of(&self.next)) else { return };
            if self.play(seat, &mv, chance).is_err() {
                return;
            }
        }
    }

    fn finish_by_rules(&mut self) -> bool {
        if self.next.status.is_over() {
            return true;
        }
        let finished = self.next.state.as_ref().is_some_and(|state| state.finished());
        if finished {
            self.finish(Ending::Rules);
        }
        finished
    }

    fn finish(&mut self, ending: Ending) {
        if let Some(outcome) = self.next.result(ending) {
            self.life(Life::MatchFinished { outcome });
        }
    }

    fn done(
        self,
        table: Option<&Match>,
        player: Uuid,
        command: Box<RawValue>,
        chance: Luck,
    ) -> Decision {
        let draft = Draft {
            command,
            player,
            draws: chance.into_draws(),
            seq: table.map_or(0, |table| table.version),
            at: self.at,
            previous: table.map_or(Match::ORIGIN, |table| table.hash),
        };
        Decision { next: self.next, events: self.events, draft }
    }
}

/// The generator of one command; its key is known once the match has started.
struct Luck {
    seq: u64,
    keyed: Option<Keyed>,
}

impl Luck {
    const fn new(seq: u64) -> Self {
        Self { seq, keyed: None }
    }

    fn of(&mut self, table: &Match) -> &mut dyn Chance {
        self.keyed.get_or_insert_with(|| {
            let key = table.key.unwrap_or_else(|| table.setup.seed.match_key(table.id(), &[]));
            Keyed::new(key, self.seq)
        })
    }

    fn into_draws(self) -> Vec<Draw> {
        self.keyed.map(Keyed::into_draws).unwrap_or_default()
    }
}

/// A command as it is recorded: canonical, and without what only the asker knows.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Asked<'a> {
    Create {
        game: &'a str,
        seats: u8,
        options: &'a RawValue,
        visibility: Visibility,
        #[serde(skip_serializing_if = "Option::is_none")]
        entropy: Option<&'a str>,
    },
    Sit {
        #[serde(skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        #[serde(skip_serializing_if = "Option::is_none")]
        entropy: Option<&'a str>,
    },
    Leave,
    Resign,
    Play {
        #[serde(rename = "move")]
        mv: &'a RawValue,
    },
}

impl Asked<'_> {
    fn record(&self) -> Box<RawValue> {
        serde_json::value::to_raw_value(self).unwrap_or_else(|_| RawValue::NULL.to_owned())
    }
}

impl Match {
    /// Creates a match; its creator takes seat 0 (M1).
    ///
    /// # Errors
    /// When the game is not played with that many seats or does not know the options.
    pub fn create(create: Create<'_>, at: Timestamp) -> Result<Decision, Refused> {
        let info = create.game.info();
        if !(info.min_seats..=info.max_seats).contains(&create.seats) {
            return Err(MatchRefusal::SeatCount.into());
        }
        let options = create.game.options(create.options).map_err(Refused::Malformed)?;
        let command = Asked::Create {
            game: info.key,
            seats: create.seats,
            options: &options,
            visibility: create.visibility,
            entropy: create.entropy.as_deref(),
        }
        .record();
        let created = Event(Kind::Life(Life::MatchCreated(Box::new(Created {
            id: create.id,
            game: info.key.to_owned(),
            rules_version: info.rules_version,
            seats: create.seats,
            options: serde_json::from_str(options.get()).unwrap_or_default(),
            visibility: create.visibility,
            invite_code: create.invite_code,
            creator: create.creator,
            seed: create.seed.to_hex(),
        }))));
        let table = Self::created(&created, at).ok_or(MatchRefusal::SeatCount)?;
        let mut stage = Stage::new(&table, at);
        stage.events.push(created);
        let mut chance = Luck::new(0);
        stage.sit(Seat::new(0), create.creator, create.entropy, &mut chance);
        Ok(stage.done(None, create.creator, command, chance))
    }

    /// What a command leads to.
    ///
    /// # Errors
    /// Says which rule the command breaks.
    pub fn decide(&self, command: &Command, at: Timestamp) -> Result<Decision, Refused> {
        if self.status.is_over() {
            return Err(MatchRefusal::MatchOver.into()); // M7
        }
        let mut stage = Stage::new(self, at);
        let mut chance = Luck::new(self.version);
        let player = command.player();
        let command = match command {
            Command::Sit { player, seat, entropy, invite_code } => {
                let free = self.free_seat(*player, *seat, invite_code.as_deref())?;
                stage.sit(free, *player, entropy.clone(), &mut chance);
                Asked::Sit { seat: *seat, entropy: entropy.as_deref() }.record()
            }
            Command::Leave { player } => {
                let seat = self.seat_of(*player).ok_or(MatchRefusal::NotSeated)?;
                if self.status != Status::Open {
                    return Err(MatchRefusal::AlreadyStarted.into()); // M2
                }
                stage.life(Life::SeatLeft { seat, player: *player });
                if stage.next.seats.iter().all(Option::is_none) {
                    stage.life(Life::MatchAbandoned); // M4
                }
                Asked::Leave.record()
            }
            Command::Resign { player } => {
                let seat = self.playing_seat(*player)?;
                stage.life(Life::SeatResigned { seat });
                if stage.next.resigned().len() + 1 >= u32::from(self.seat_count()) {
                    stage.finish(Ending::Resignation); // M6
                } else {
                    stage.autoplay(&mut chance);
                }
                Asked::Resign.record()
            }
            Command::Play { player, mv } => {
                let seat = self.playing_seat(*player)?;
                let mv = stage.play(seat, mv, &mut chance)?;
                stage.autoplay(&mut chance);
                Asked::Play { mv: &mv }.record()
            }
        };
        Ok(stage.done(Some(self), player, command, chance))
    }

    /// The seat that a player would get (M2).
    fn free_seat(
        &self,
        player: Uuid,
        wanted: Option<Seat>,
        invite_code: Option<&str>,
    ) -> Result<Seat, MatchRefusal> {
        if self.seat_of(player).is_some() {
            return Err(MatchRefusal::AlreadySeated);
        }
        if self.setup.visibility == Visibility::Private && invite_code != self.invite_code() {
            return Err(MatchRefusal::WrongInviteCode);
        }
        let free = |seat: &Seat| self.sitter(*seat).is_none();
        match wanted {
            Some(seat) if seat.number() >= self.seat_count() => Err(MatchRefusal::NoSuchSeat),
            _ if self.status != Status::Open => Err(MatchRefusal::AlreadyStarted),
            Some(seat) => Some(seat).filter(free).ok_or(MatchRefusal::SeatTaken),
            None => Seat::all(self.seat_count()).find(free).ok_or(MatchRefusal::MatchFull),
        }
    }

    /// The seat from which a player plays (M5).
    fn playing_seat(&self, player: Uuid) -> Result<Seat, MatchRefusal> {
        let seat = self.seat_of(player).ok_or(MatchRefusal::NotSeated)?;
        if self.status == Status::Open {
            return Err(MatchRefusal::NotStarted);
        }
        if self.resigned().contains(seat) {
            return Err(MatchRefusal::HasResigned); // M6
        }
        Ok(seat)
    }

    /// The seats whose players have resigned.
    #[must_use]
    pub fn resigned(&self) -> SeatSet {
        Seat::all(self.seat_count())
            .filter(|seat| self.sitter(*seat).is_some_and(|sitter| sitter.resigned))
            .collect()
    }

    /// The result as it is now: seats that resigned share the last place (M6).
    fn result(&self, ending: Ending) -> Option<Outcome> {
        let standings = self.state.as_ref()?.standings();
        let resigned = self.resigned();
        let has_resigned =
            |index: usize| resigned.contains(Seat::new(u8::try_from(index).unwrap_or(u8::MAX)));
        let stayed: Vec<u8> = (0..)
            .zip(&standings.seats)
            .filter(|(index, _)| !has_resigned(*index))
            .map(|(_, standing)| standing.place)
            .collect();
        let seats = (0..)
            .zip(standings.seats)
            .map(|(index, standing): (usize, Standing)| {
                if resigned.is_empty() {
                    return standing;
                }
                let better = if has_resigned(index) {
                    stayed.len()
                } else {
                    stayed.iter().filter(|place| **place < standing.place).count()
                };
                let won = better == 0 && !has_resigned(index);
                Standing { place: u8::try_from(better + 1).unwrap_or(u8::MAX), won, ..standing }
            })
            .collect();
        Some(Outcome { ending, seats, measures: standings.measures })
    }
}
