//! Takes facts in.

use std::sync::Arc;

use super::{
    Event, Match, Setup, Sitter, Status,
    event::{Kind, Life},
};
use crate::{chance::Seed, games, seat::Seat, time::Timestamp};

impl Match {
    /// The match that its first event created.
    pub(super) fn created(event: &Event, at: Timestamp) -> Option<Self> {
        let Kind::Life(Life::MatchCreated(created)) = &event.0 else { return None };
        let setup = Setup {
            id: created.id,
            game: games::find(&created.game)?,
            options: serde_json::value::to_raw_value(&created.options).ok()?,
            visibility: created.visibility,
            invite_code: created.invite_code.clone(),
            creator: created.creator,
            seed: Seed::from_hex(&created.seed)?,
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
            Kind::Game { by, event } => {
                let Some(state) = &mut self.state else { return };
                let before = state.epoch();
                state.evolve(event, at);
                if state.epoch() != before {
                    self.asked_at = [self.version; Seat::MAX as usize];
                } else if let Some(seat) = by {
                    self.asked_at[seat.index()] = self.version;
                }
            }
        }
    }

    fn live(&mut self, life: &Life) {
        self.asked_at = [self.version; Seat::MAX as usize];
        match life {
            Life::MatchCreated(_) => {}
            Life::SeatTaken { seat, player, entropy } => {
                self.seats[seat.index()] =
                    Some(Sitter { player: *player, entropy: entropy.clone(), resigned: false });
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
                self.status = Status::Playing;
                self.started_at = Some(self.at);
            }
            Life::SeatResigned { seat } => {
                if let Some(sitter) = &mut self.seats[seat.index()] {
                    sitter.resigned = true;
                }
            }
            Life::MatchFinished { outcome } => {
                self.status = Status::Finished;
                self.outcome = Some(Arc::new(outcome.clone()));
            }
            Life::MatchAbandoned => self.status = Status::Abandoned,
        }
    }
}
