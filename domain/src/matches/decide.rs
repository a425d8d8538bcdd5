//! Decides commands: events and the next match, or a refusal.

use serde_json::value::RawValue;
use uuid::Uuid;

use super::{
    Command, Commit, Create, Event, Match, MatchRefusal, Origin, PlayerSeat, Refused, Status,
    TimeLimit, Visibility,
    command::CommandRecord,
    commit::link,
    event::{Created, EventKind, MatchEvent},
    origin::StoredOrigin,
    payload::Payload,
    stage::{CommandChance, Stage},
};
use crate::{
    chance::Draw,
    erased::{GameEvent, GameMove},
    game::{Context, Nature},
    outcome::{Ending, Outcome, Standing},
    seat::{Seat, SeatSet},
    time::Timestamp,
};

/// The result of an accepted command: its events, and the match after them.
#[derive(Debug)]
pub struct Decision {
    /// The match after the events.
    pub next: Match,
    /// The events.
    pub events: Vec<Event>,
    pub(super) draft: Draft,
}

/// A commit without its command id.
#[derive(Debug)]
pub struct Draft {
    pub(super) payload: Payload,
    pub(super) player: Uuid,
    pub(super) draws: Vec<Draw>,
    pub(super) seq: u64,
    pub(super) at: Timestamp,
    pub(super) previous: [u8; 32],
}

impl Decision {
    /// The commit to write, and the match once it has been written.
    #[must_use]
    pub fn into_commit(self, command_id: Uuid) -> (Match, Vec<Event>, Commit) {
        let Self { mut next, events, draft } = self;
        let mut commit = Commit {
            match_id: next.id(),
            seq: draft.seq,
            count: u32::try_from(events.len()).expect("a command has few events"),
            at: draft.at,
            player: draft.player,
            command_id,
            payload: draft.payload.finish(&draft.draws, &events),
            hash: draft.previous,
        };
        commit.hash = link(&draft.previous, &commit);
        next.hash = commit.hash;
        (next, events, commit)
    }

    /// The command in its canonical form, as JSON. A retry has to send the same command.
    #[must_use]
    pub fn command(&self) -> &str {
        self.draft.payload.command()
    }

    /// All random numbers that were drawn, in order.
    #[must_use]
    pub fn draws(&self) -> &[Draw] {
        &self.draft.draws
    }

    /// When it happens; never earlier than the previous event.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        self.draft.at
    }

    /// The player who sent the command.
    #[must_use]
    pub fn player(&self) -> Uuid {
        self.draft.player
    }

    /// Whether the player could foresee all events: no luck was drawn and nothing hidden was revealed.
    #[must_use]
    pub fn is_foreseeable(&self) -> bool {
        self.events.iter().all(|event| event.nature() == Nature::Choice)
    }
}

impl Match {
    /// Creates a match; its creator takes a seat, and so do further players (M1).
    ///
    /// # Errors
    /// If the game does not allow this number of seats or these options.
    pub fn create(create: Create<'_>, at: Timestamp) -> Result<Decision, Refused> {
        let info = create.game.info();
        if !info.allows(create.seats) {
            return Err(MatchRefusal::SeatCount.into());
        }
        if create.seat.number() >= create.seats {
            return Err(MatchRefusal::NoSuchSeat.into());
        }
        create.check_players()?;
        let options = create.game.options(create.options).map_err(Refused::Malformed)?;
        if let Some(Origin::Fork(fork)) = &create.origin
            && !fork.fits(&create, &options)
        {
            return Err(MatchRefusal::ForkPoint.into()); // M8
        }
        create.check_bots()?;
        let rules_version = match &create.origin {
            Some(Origin::Fork(fork)) => fork.rules_version(),
            Some(Origin::Demo) | None => create.rules_version,
        };
        let payload = Payload::of(&CommandRecord::Create {
            game: info.key,
            seats: create.seats,
            options: &options,
            visibility: create.visibility,
            seat: Some(create.seat).filter(|seat| seat.number() > 0),
            players: &create.players,
            entropy: create.entropy.as_deref(),
            move_deadline: create.time_limit.map(TimeLimit::seconds),
            on_timeout: create.time_limit.map(TimeLimit::on_timeout),
            bots: &create.bots,
            hints: create.hints,
            origin: create.origin.as_ref().map(Origin::shown),
            rematch_of: create.rematch_of,
        });
        let created = Event(EventKind::Match(MatchEvent::MatchCreated(Box::new(Created {
            id: create.id,
            game: info.key.to_owned(),
            rules_version,
            seats: create.seats,
            options: serde_json::from_str(options.get()).expect("options are JSON"),
            visibility: create.visibility,
            invite_code: create.invite_code,
            creator: create.creator,
            seed: create.seed,
            time_limit: create.time_limit,
            hints: create.hints,
            origin: create.origin.as_ref().map(StoredOrigin::from),
            rematch_of: create.rematch_of,
        }))));
        let m = Self::created(&created, at).expect("a valid creation");
        let mut stage = Stage::new(m, at);
        stage.events.push(created);
        let mut chance = CommandChance::new(0);
        stage.sit(create.seat, create.creator, create.entropy, &mut chance);
        for PlayerSeat { seat, player } in create.players {
            stage.sit(seat, player, None, &mut chance);
        }
        stage.seat_bots(&create.bots, &mut chance);
        Ok(stage.done(None, create.creator, payload, chance))
    }

    /// Decides a command that is based on one of these versions of the match (`If-Match`).
    ///
    /// # Errors
    /// If none of the versions is current for the player, or the command breaks a rule.
    pub fn decide_upon(
        &self,
        versions: &[u64],
        command: &Command,
        at: Timestamp,
    ) -> Result<Decision, Refused> {
        let seat = match command {
            Command::PlayForBot { seat, .. } => Some(*seat),
            _ => self.seat_of(command.player()),
        };
        let is_current = |version: &u64| match seat {
            Some(seat) => self.is_current(seat, *version),
            None => *version == self.version,
        };
        if !versions.iter().any(is_current) {
            return Err(Refused::Stale { current: self.version });
        }
        self.decide(command, at)
    }

    /// Decides a command.
    ///
    /// # Errors
    /// If the command breaks a rule.
    pub fn decide(&self, command: &Command, at: Timestamp) -> Result<Decision, Refused> {
        if self.status.is_over() {
            return Err(MatchRefusal::MatchOver.into()); // M7
        }
        // Time never runs backwards in a match, even if the clock was set back.
        let at = at.max(self.at);
        let mut chance = CommandChance::new(self.version);
        let begin = || Stage::new(self.clone(), at);
        let (stage, payload) = match command {
            Command::Sit { player, seat, entropy, invite_code } => {
                let free = self.free_seat(*player, *seat, invite_code.as_deref())?;
                let mut stage = begin();
                stage.sit(free, *player, entropy.clone(), &mut chance);
                (
                    stage,
                    Payload::of(&CommandRecord::Sit { seat: *seat, entropy: entropy.as_deref() }),
                )
            }
            Command::SeatBot { player, seat, level } => {
                let free = self.seat_for_bot(*player, *seat)?;
                let mut stage = begin();
                stage.sit(free, level.player(), None, &mut chance);
                (stage, Payload::of(&CommandRecord::SeatBot { seat: *seat, level: *level }))
            }
            Command::Leave { player } => {
                let seat = self.seat_of(*player).ok_or(MatchRefusal::NotSeated)?;
                if self.status != Status::Open {
                    return Err(MatchRefusal::AlreadyStarted.into()); // M2
                }
                let mut stage = begin();
                stage.record(MatchEvent::SeatLeft { seat, player: *player });
                if stage.next.is_empty() {
                    stage.record(MatchEvent::MatchAbandoned); // M4
                }
                (stage, Payload::of(&CommandRecord::Leave))
            }
            Command::Resign { player } => {
                let seat = self.playing_seat(*player)?;
                let mut stage = begin();
                stage.welcome_back(seat);
                stage.record(MatchEvent::SeatResigned { seat });
                stage.after_resigning(&mut chance);
                (stage, Payload::of(&CommandRecord::Resign))
            }
            Command::Play { player, mv } => {
                let seat = self.playing_seat(*player)?;
                let (mv, events) = self.play(seat, mv, at, &mut chance)?;
                let mut stage = begin();
                stage.welcome_back(seat);
                stage.take_in(seat, events, false);
                stage.autoplay(&mut chance);
                (stage, Payload::of_move(&mv))
            }
            Command::PlayForBot { level, seat, mv } => {
                if self.bot_in(*seat) != Some(*level) {
                    return Err(MatchRefusal::NoBot.into()); // M13
                }
                let (mv, events) = self.play(*seat, mv, at, &mut chance)?;
                let mut stage = begin();
                stage.take_in(*seat, events, false);
                stage.autoplay(&mut chance);
                (stage, Payload::of_bot_move(*seat, &mv))
            }
            Command::Return { player } => {
                let seat = self.playing_seat(*player)?;
                if !self.has_stand_in(seat) {
                    return Err(MatchRefusal::NoBot.into()); // M10
                }
                let mut stage = begin();
                stage.welcome_back(seat);
                (stage, Payload::of(&CommandRecord::Return))
            }
            Command::Pause { player } => self.pause(*player, begin())?,
            Command::Resume { player } => self.resume(*player, begin(), &mut chance)?,
            Command::TimeOut => {
                let due = self.due_at().is_some_and(|due| due <= at);
                let limit = self.time_limit().filter(|_| due).ok_or(MatchRefusal::NotDue)?;
                let mut stage = begin();
                stage.time_out(limit, &mut chance);
                (stage, Payload::of(&CommandRecord::TimeOut))
            }
            Command::Expire => {
                if self.status != Status::Open {
                    return Err(MatchRefusal::AlreadyStarted.into());
                }
                let mut stage = begin();
                stage.record(MatchEvent::MatchAbandoned); // M12
                (stage, Payload::of(&CommandRecord::Expire))
            }
        };
        Ok(stage.done(Some(self), command.player(), payload, chance))
    }

    /// Decides a request for a pause (M11).
    fn pause(&self, player: Uuid, mut stage: Stage) -> Result<(Stage, Payload), Refused> {
        let seat = self.playing_seat(player)?;
        if self.paused_at().is_some() {
            return Err(MatchRefusal::Paused.into());
        }
        if self.pause_asked().contains(seat) {
            return Err(MatchRefusal::PauseAsked.into());
        }
        stage.welcome_back(seat);
        stage.record(MatchEvent::PauseAsked { seat });
        stage.pause_if_agreed();
        Ok((stage, Payload::of(&CommandRecord::Pause)))
    }

    /// Decides the end of a pause, or of the request for one (M11).
    fn resume(
        &self,
        player: Uuid,
        mut stage: Stage,
        chance: &mut CommandChance,
    ) -> Result<(Stage, Payload), Refused> {
        let seat = self.playing_seat(player)?;
        stage.welcome_back(seat);
        if self.paused_at().is_some() {
            stage.record(MatchEvent::MatchResumed { seat });
            stage.autoplay(chance);
        } else if self.pause_asked().contains(seat) {
            stage.record(MatchEvent::PauseWithdrawn { seat });
        } else {
            return Err(MatchRefusal::NotPaused.into());
        }
        Ok((stage, Payload::of(&CommandRecord::Resume)))
    }

    /// Decides a move in a seat.
    fn play(
        &self,
        seat: Seat,
        mv: &RawValue,
        at: Timestamp,
        chance: &mut CommandChance,
    ) -> Result<(GameMove, Vec<GameEvent>), Refused> {
        if self.paused_at().is_some() {
            return Err(MatchRefusal::Paused.into()); // M11
        }
        let game = self.state.as_deref().ok_or(MatchRefusal::NotStarted)?;
        let mv = game.read_move(mv).map_err(Refused::Malformed)?;
        let mut context = Context { chance: chance.of(self), at };
        let events = game.decide(seat, &mv, &mut context).map_err(Refused::Rule)?;
        Ok((mv, events))
    }

    /// The free seat that a player gets (M2).
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
        self.open_seat(wanted)
    }

    /// A seat that is free: this one, or the first.
    pub(super) fn open_seat(&self, wanted: Option<Seat>) -> Result<Seat, MatchRefusal> {
        let free = |seat: &Seat| self.sitter(*seat).is_none();
        match wanted {
            Some(seat) if seat.number() >= self.seat_count() => Err(MatchRefusal::NoSuchSeat),
            _ if self.status != Status::Open => Err(MatchRefusal::AlreadyStarted),
            Some(seat) => Some(seat).filter(free).ok_or(MatchRefusal::SeatTaken),
            None => Seat::all(self.seat_count()).find(free).ok_or(MatchRefusal::MatchFull),
        }
    }

    /// The seat of a player who may play (M5).
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

    /// The current result. Seats that have resigned share the last place (M6).
    pub(super) fn result(&self, ending: Ending) -> Outcome {
        let state = self.state.as_deref().expect("a match that has started has a state");
        let standings = state.standings();
        let resigned = self.resigned();
        let stayed: Vec<u8> = Seat::all(self.seat_count())
            .zip(&standings.seats)
            .filter(|(seat, _)| !resigned.contains(*seat))
            .map(|(_, standing)| standing.place)
            .collect();
        let seats = Seat::all(self.seat_count())
            .zip(standings.seats)
            .map(|(seat, standing)| {
                if resigned.is_empty() {
                    return standing;
                }
                let has_resigned = resigned.contains(seat);
                let better = if has_resigned {
                    stayed.len()
                } else {
                    stayed.iter().filter(|place| **place < standing.place).count()
                };
                let won = better == 0 && !has_resigned;
                let place = u8::try_from(better + 1).expect("no more places than seats");
                Standing { place, won, ..standing }
            })
            .collect();
        Outcome { ending, seats, measures: standings.measures }
    }
}
