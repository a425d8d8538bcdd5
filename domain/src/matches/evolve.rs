//! Takes facts in.

use std::sync::Arc;

use super::{
    Event, Match, Origin, Setup, Sitter, Status,
    clock::Clocks,
    event::{Kind, Life},
};
use crate::{chance::Seed, games, seat::Seat, time::Timestamp};

impl Match {
    /// The match that its first event created.
    pub(super) fn created(event: &Event, at: Timestamp) -> Option<Self> {
        let Kind::Life(Life::MatchCreated(created)) = &event.0 else { return None };
        let game = games::find(&created.game)?;
        let options = serde_json::value::to_raw_value(&created.options).ok()?;
        let origin = match &created.origin {
            Some(origin) => Some(origin.read(game, created.seats, &options)?),
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
            seed: Seed::from_hex(&created.seed)?,
            time_limit: created.time_limit,
            origin,
            rematch_of: created.rematch_of,
            created_at: at,
        };
        Some(Self {
            setup: Arc::new(setup),
            status: Status::Open,
            seats: vec![None; created.seats.into()],
            key: None,
            state: None,
            version: 1,
            hash: Self::ORIGIN,
            asked_at: [0; Seat::MAX as usize],
            clocks: Clocks::default(),
            automatic: false,
            at,
            started_at: None,
            outcome: None,
        })
    }

    /// Takes a fact in.
    pub fn evolve(&mut self, event: &Event, at: Timestamp) {
        self.version += 1;
        self.at = at;
        match &event.0 {
            Kind::Life(life) => self.live(life),
            Kind::Game { by, event, automatic } => {
                self.automatic |= automatic;
                let Some(state) = &mut self.state else { return };
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
                // Who plays on no longer asks for a pause (M11).
                if let Some(seat) = by.filter(|_| !automatic) {
                    self.clocks.pause_asked = self.clocks.pause_asked.without(seat);
                }
            }
        }
    }

    fn live(&mut self, life: &Life) {
        // What is said about time changes nothing that a seat decides upon.
        let is_about_time = matches!(
            life,
            Life::SeatTimedOut { .. } | Life::PauseAsked { .. } | Life::PauseWithdrawn { .. }
        );
        if !is_about_time {
            self.asked_at = [self.version; Seat::MAX as usize];
        }
        match life {
            Life::MatchCreated(_) => {}
            Life::SeatTaken { seat, player, entropy } => {
                self.seats[seat.index()] = Some(Sitter {
                    player: *player,
                    entropy: entropy.clone(),
                    resigned: false,
                    timeouts: 0,
                });
            }
            Life::SeatLeft { seat, .. } => self.seats[seat.index()] = None,
            Life::MatchStarted => {
                let entropy: Vec<Option<&str>> = self
                    .seats
                    .iter()
                    .map(|seat| seat.as_ref().and_then(|sitter| sitter.entropy.as_deref()))
                    .collect();
                self.key = Some(self.setup.seed.match_key(self.setup.id, &entropy));
                self.state = self.setup.game.open(self.seat_count(), &self.setup.options).ok();
                if let (Some(Origin::Fork(fork)), Some(state)) =
                    (&self.setup.origin, &mut self.state)
                {
                    fork.fold(state.as_mut());
                }
                if let Some(state) = &self.state {
                    self.clocks.ask(state.to_act(), |_| true, self.at);
                }
                self.status = Status::Playing;
                self.started_at = Some(self.at);
            }
            Life::SeatResigned { seat } => {
                if let Some(sitter) = &mut self.seats[seat.index()] {
                    sitter.resigned = true;
                }
            }
            Life::SeatTimedOut { seat } => {
                self.clocks.restart(*seat, self.at);
                if let Some(sitter) = &mut self.seats[seat.index()] {
                    sitter.timeouts += 1;
                }
            }
            Life::PauseAsked { seat } => {
                self.clocks.pause_asked = self.clocks.pause_asked.with(*seat);
            }
            Life::PauseWithdrawn { seat } => {
                self.clocks.pause_asked = self.clocks.pause_asked.without(*seat);
            }
            Life::MatchPaused => self.clocks.pause(self.at),
            Life::MatchResumed { .. } => self.clocks.resume(self.at),
            Life::MatchFinished { outcome } => {
                self.status = Status::Finished;
                self.outcome = Some(Arc::new(outcome.clone()));
            }
            Life::MatchAbandoned => self.status = Status::Abandoned,
        }
    }
}
