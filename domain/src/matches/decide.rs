//! What a command leads to.

use serde_json::value::RawValue;
use uuid::Uuid;

use super::{
    Command, Commit, Create, Event, Match, MatchRefusal, Origin, Refused, Status, TimeLimit,
    Visibility,
    command::Asked,
    commit::{encode, link},
    event::{Created, Kind, Life},
    origin::StoredOrigin,
    stage::{Luck, Stage},
};
use crate::{
    chance::Draw,
    game::Nature,
    outcome::{Ending, Outcome, Standing},
    seat::{Seat, SeatSet},
    time::Timestamp,
};

/// What a command leads to: the events, and the match after them.
#[derive(Debug)]
pub struct Decision {
    /// The match after the events.
    pub next: Match,
    /// What happened.
    pub events: Vec<Event>,
    pub(super) draft: Draft,
}

/// A commit that still lacks its command id.
#[derive(Debug)]
pub struct Draft {
    pub(super) command: Box<RawValue>,
    pub(super) player: Uuid,
    pub(super) draws: Vec<Draw>,
    pub(super) seq: u64,
    pub(super) at: Timestamp,
    pub(super) previous: [u8; 32],
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
    pub(super) fn result(&self, ending: Ending) -> Option<Outcome> {
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
