//! Applies events to a match.

use std::sync::Arc;

use super::{
    Event, Match, Origin, Setup, Sitter, Status,
    clock::Clocks,
    event::{EventKind, MatchEvent},
};
use crate::{
    bot::BotLevel,
    erased::AnyState,
    games,
    seat::{Seat, SeatSet},
    time::Timestamp,
};

impl Match {
    /// The match that its first event creates, or what is wrong with that event.
    pub(super) fn created(event: &Event, at: Timestamp) -> Result<Self, &'static str> {
        let EventKind::Match(MatchEvent::MatchCreated(created)) = &event.0 else {
            return Err("a match begins with its creation");
        };
        let game = games::find(&created.game).ok_or("the game is unknown")?;
        if !game.info().allows(created.seats) {
            return Err("the game is not played with this number of seats");
        }
        let options = serde_json::value::to_raw_value(&created.options).expect("options are JSON");
        game.options(Some(&options)).map_err(|_| "the game does not have these options")?;
        let origin = match &created.origin {
            Some(origin) => {
                let read = origin.read(game, created.rules_version, created.seats, &options);
                Some(read.ok_or("the origin of the match cannot be read")?)
            }
            None => None,
        };
        let setup = Setup {
            id: created.id,
            game,
            rules_version: created.rules_version,
            options,
            visibility: created.visibility,
            invite_code: created.invite_code.clone(),
            creator: created.creator,
            seed: created.seed,
            time_limit: created.time_limit,
            hints: created.hints,
            origin,
            rematch_of: created.rematch_of,
            created_at: at,
        };
        Ok(Self {
            setup: Arc::new(setup),
            status: Status::Open,
            seats: vec![None; created.seats.into()],
            key: None,
            state: None,
            version: 1,
            hash: Self::ORIGIN,
            asked_at: [0; Seat::MAX as usize],
            waited_for: SeatSet::NONE,
            clocks: Clocks::default(),
            automatic: false,
            bots_played: false,
            at,
            started_at: None,
            outcome: None,
        })
    }

    /// Checks that a stored event can have happened to this match, since a corrupt store must not cause a panic.
    pub(super) fn check(&self, event: &Event) -> Result<(), &'static str> {
        let ensure = |holds: bool, reason| if holds { Ok(()) } else { Err(reason) };
        if let Some(seat) = event.by() {
            ensure(seat.number() < self.seat_count(), "it names a seat that the match lacks")?;
        }
        match &event.0 {
            EventKind::Game { .. } => ensure(self.state.is_some(), "the game has not started"),
            EventKind::Match(MatchEvent::MatchCreated(_)) => Err("a match is created only once"),
            EventKind::Match(MatchEvent::MatchStarted) => {
                let ready = self.status == Status::Open && self.seats.iter().all(Option::is_some);
                ensure(ready, "a match starts once all of its seats are taken")
            }
            EventKind::Match(
                MatchEvent::SeatResigned { seat }
                | MatchEvent::SeatTimedOut { seat }
                | MatchEvent::BotSteppedIn { seat, .. }
                | MatchEvent::PlayerReturned { seat },
            ) => ensure(self.sitter(*seat).is_some(), "nobody sits in the seat"),
            EventKind::Match(MatchEvent::MatchResumed { .. }) => {
                ensure(self.clocks.paused_at.is_some(), "the match is not paused")
            }
            EventKind::Match(MatchEvent::MatchFinished { outcome }) => ensure(
                self.started_at.is_some() && outcome.seats.len() == self.seats.len(),
                "the outcome is not one of this match",
            ),
            EventKind::Match(
                MatchEvent::SeatTaken { .. }
                | MatchEvent::SeatLeft { .. }
                | MatchEvent::PauseAsked { .. }
                | MatchEvent::PauseWithdrawn { .. }
                | MatchEvent::MatchPaused
                | MatchEvent::MatchAbandoned,
            ) => Ok(()),
        }
    }

    /// The state of the game before its first event.
    #[must_use]
    pub fn opened_state(&self) -> Box<dyn AnyState> {
        let Setup { game, options, rules_version, .. } = self.setup.as_ref();
        let opened = game.open(self.seat_count(), options, *rules_version);
        opened.expect("the options were checked when the match was created")
    }

    /// Applies an event.
    ///
    /// # Panics
    /// If the event cannot have happened to this match.
    pub fn evolve(&mut self, event: &Event, at: Timestamp) {
        self.version += 1;
        self.at = at;
        match &event.0 {
            EventKind::Match(event) => self.evolve_match(event),
            EventKind::Game { by, event, automatic } => {
                self.automatic |= automatic;
                let state = self.state.as_mut().expect("the game has started");
                let before = state.epoch();
                state.evolve(event, at);
                let changed = state.epoch() != before;
                if changed {
                    self.asked_at = [self.version; Seat::MAX as usize];
                } else if let Some(seat) = by {
                    self.asked_at[seat.index()] = self.version;
                }
                if self.setup.time_limit.is_some() {
                    self.clocks.ask(state.to_act(), |seat| changed || *by == Some(seat), at);
                }
                // A move withdraws a request for a pause (M11).
                if let Some(seat) = by.filter(|_| !automatic) {
                    self.clocks.pause_asked = self.clocks.pause_asked.without(seat);
                }
            }
        }
    }

    fn sitting(&mut self, seat: Seat) -> &mut Sitter {
        self.seats[seat.index()].as_mut().expect("a seat that is played is taken")
    }

    fn evolve_match(&mut self, event: &MatchEvent) {
        // Events about time change nothing that a seat decides on.
        let is_about_time = matches!(
            event,
            MatchEvent::SeatTimedOut { .. }
                | MatchEvent::BotSteppedIn { .. }
                | MatchEvent::PlayerReturned { .. }
                | MatchEvent::PauseAsked { .. }
                | MatchEvent::PauseWithdrawn { .. }
        );
        if !is_about_time {
            self.asked_at = [self.version; Seat::MAX as usize];
        }
        match event {
            MatchEvent::MatchCreated(_) => {}
            MatchEvent::SeatTaken { seat, player, entropy } => {
                self.seats[seat.index()] = Some(Sitter {
                    player: *player,
                    entropy: entropy.clone(),
                    resigned: false,
                    timeouts: 0,
                    bot: BotLevel::of(*player),
                });
            }
            MatchEvent::SeatLeft { seat, .. } => self.seats[seat.index()] = None,
            MatchEvent::MatchStarted => {
                self.bots_played = self.seats.iter().flatten().any(|sitter| sitter.bot.is_some());
                let entropy: Vec<Option<&str>> = self
                    .seats
                    .iter()
                    .map(|seat| seat.as_ref().and_then(|sitter| sitter.entropy.as_deref()))
                    .collect();
                self.key = Some(self.setup.seed.match_key(self.setup.id, &entropy));
                let mut state = self.opened_state();
                if let Some(Origin::Fork(fork)) = &self.setup.origin {
                    fork.fold(state.as_mut(), self.at);
                }
                self.clocks.ask(state.to_act(), |_| true, self.at);
                self.state = Some(state);
                self.status = Status::Playing;
                self.started_at = Some(self.at);
            }
            MatchEvent::SeatResigned { seat } => {
                self.sitting(*seat).resigned = true;
            }
            MatchEvent::SeatTimedOut { seat } => {
                self.clocks.restart(*seat, self.at);
                self.sitting(*seat).timeouts += 1;
            }
            MatchEvent::BotSteppedIn { seat, level } => {
                self.sitting(*seat).bot = Some(*level);
                self.bots_played = true;
            }
            MatchEvent::PlayerReturned { seat } => {
                self.sitting(*seat).bot = None;
                self.clocks.restart_if_running(*seat, self.at);
            }
            MatchEvent::PauseAsked { seat } => {
                self.clocks.pause_asked = self.clocks.pause_asked.with(*seat);
            }
            MatchEvent::PauseWithdrawn { seat } => {
                self.clocks.pause_asked = self.clocks.pause_asked.without(*seat);
            }
            MatchEvent::MatchPaused => self.clocks.pause(self.at),
            MatchEvent::MatchResumed { .. } => self.clocks.resume(self.at),
            MatchEvent::MatchFinished { outcome } => {
                self.status = Status::Finished;
                self.outcome = Some(Arc::new(outcome.clone()));
            }
            MatchEvent::MatchAbandoned => self.status = Status::Abandoned,
        }
    }
}
