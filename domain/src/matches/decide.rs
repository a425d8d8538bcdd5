//! What a command leads to.

use serde_json::value::RawValue;
use uuid::Uuid;

use super::{
    Command, Commit, Create, Event, Match, MatchRefusal, OnTimeout, Origin, Refused, Status,
    TimeLimit, Visibility,
    command::Asked,
    commit::{encode, link},
    event::{Created, Kind, Life},
    origin::StoredOrigin,
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

    /// All luck that was drawn, in order.
    #[must_use]
    pub fn draws(&self) -> &[Draw] {
        &self.draft.draws
    }

    /// When it happens; never before what has happened already.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        self.draft.at
    }

    /// Who asked.
    #[must_use]
    pub fn player(&self) -> Uuid {
        self.draft.player
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
        if let Some(Origin::Fork(_)) = self.next.origin() {
            return; // The table stands as it stood there (M8).
        }
        let at = self.at;
        let Some(state) = self.next.state.clone() else { return };
        for event in state.setup(&mut Context { chance: chance.of(&self.next), at }) {
            self.emit(Kind::Game { by: None, event, automatic: false });
        }
        self.finish_by_rules();
    }

    fn play(
        &mut self,
        seat: Seat,
        mv: &RawValue,
        automatic: bool,
        chance: &mut Luck,
    ) -> Result<Box<RawValue>, Refused> {
        let state = self.next.state.clone().ok_or(MatchRefusal::NotStarted)?;
        let made =
            state.decide(seat, mv, &mut Context { chance: chance.of(&self.next), at: self.at })?;
        for event in made.events {
            self.emit(Kind::Game { by: Some(seat), event, automatic });
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
            if !self.move_for(seat, chance) {
                return;
            }
        }
    }

    /// Makes a legal move for a seat; what it is follows from what the seat may know, and luck.
    fn move_for(&mut self, seat: Seat, chance: &mut Luck) -> bool {
        let Some(state) = self.next.state.clone() else { return false };
        let mv = state.random_move(seat, chance.of(&self.next));
        mv.is_some_and(|mv| self.play(seat, &mv, true, chance).is_ok())
    }

    /// What follows when seats have resigned (M6).
    fn after_resigning(&mut self, chance: &mut Luck) {
        if self.next.resigned().len() + 1 >= u32::from(self.next.seat_count()) {
            self.finish(Ending::Resignation);
        } else {
            self.autoplay(chance);
            self.pause_if_agreed();
        }
    }

    /// Pauses when everybody who still plays has asked for it (M11).
    fn pause_if_agreed(&mut self) {
        if self.next.agrees_to_pause() {
            self.life(Life::MatchPaused);
        }
    }

    /// What the match does about the seats whose deadline has passed, the longest overdue first (M10).
    fn time_out(&mut self, limit: TimeLimit, chance: &mut Luck) {
        while let Some(due) = self.next.due_at().filter(|due| *due <= self.at) {
            let overdue: Vec<Seat> = Seat::all(self.next.seat_count())
                .filter(|seat| self.next.deadline(*seat) == Some(due))
                .collect();
            for seat in overdue {
                // What an automatic move of another seat has changed is asked anew.
                if self.next.deadline(seat) != Some(due) {
                    continue;
                }
                self.life(Life::SeatTimedOut { seat });
                match limit.on_timeout() {
                    OnTimeout::Forfeit => self.life(Life::SeatResigned { seat }),
                    OnTimeout::Automatic => {
                        self.move_for(seat, chance);
                        self.autoplay(chance);
                    }
                }
            }
            if limit.on_timeout() == OnTimeout::Forfeit {
                self.after_resigning(chance);
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

impl Match {
    /// Creates a match; its creator takes a seat (M1).
    ///
    /// # Errors
    /// When the game is not played with that many seats or does not know the options.
    pub fn create(create: Create<'_>, at: Timestamp) -> Result<Decision, Refused> {
        let info = create.game.info();
        if !(info.min_seats..=info.max_seats).contains(&create.seats) {
            return Err(MatchRefusal::SeatCount.into());
        }
        if create.seat.number() >= create.seats {
            return Err(MatchRefusal::NoSuchSeat.into());
        }
        let options = create.game.options(create.options).map_err(Refused::Malformed)?;
        if let Some(Origin::Fork(fork)) = &create.origin
            && !fork.fits(&create, &options)
        {
            return Err(MatchRefusal::ForkPoint.into()); // M8
        }
        let command = Asked::Create {
            game: info.key,
            seats: create.seats,
            options: &options,
            visibility: create.visibility,
            seat: Some(create.seat).filter(|seat| seat.number() > 0),
            entropy: create.entropy.as_deref(),
            move_deadline: create.time_limit.map(TimeLimit::seconds),
            on_timeout: create.time_limit.map(TimeLimit::on_timeout),
            origin: create.origin.as_ref().map(Origin::shown),
            rematch_of: create.rematch_of,
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
            time_limit: create.time_limit,
            origin: create.origin.as_ref().map(StoredOrigin::from),
            rematch_of: create.rematch_of,
        }))));
        let table = Self::created(&created, at).ok_or(MatchRefusal::SeatCount)?;
        let mut stage = Stage::new(&table, at);
        stage.events.push(created);
        let mut chance = Luck::new(0);
        stage.sit(create.seat, create.creator, create.entropy, &mut chance);
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
                stage.after_resigning(&mut chance);
                Asked::Resign.record()
            }
            Command::Play { player, mv } => {
                let seat = self.playing_seat(*player)?;
                if self.paused_at().is_some() {
                    return Err(MatchRefusal::Paused.into()); // M11
                }
                let mv = stage.play(seat, mv, false, &mut chance)?;
                stage.autoplay(&mut chance);
                Asked::Play { mv: &mv }.record()
            }
            Command::Pause { player } => {
                let seat = self.playing_seat(*player)?;
                if self.paused_at().is_some() {
                    return Err(MatchRefusal::Paused.into());
                }
                if self.pause_asked().contains(seat) {
                    return Err(MatchRefusal::PauseAsked.into());
                }
                stage.life(Life::PauseAsked { seat });
                stage.pause_if_agreed();
                Asked::Pause.record()
            }
            Command::Resume { player } => {
                let seat = self.playing_seat(*player)?;
                if self.paused_at().is_some() {
                    stage.life(Life::MatchResumed { seat });
                    stage.autoplay(&mut chance);
                } else if self.pause_asked().contains(seat) {
                    stage.life(Life::PauseWithdrawn { seat });
                } else {
                    return Err(MatchRefusal::NotPaused.into());
                }
                Asked::Resume.record()
            }
            Command::TimeOut => {
                let due = self.due_at().is_some_and(|due| due <= stage.at);
                let limit = self.time_limit().filter(|_| due).ok_or(MatchRefusal::NotDue)?;
                stage.time_out(limit, &mut chance);
                Asked::TimeOut.record()
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
