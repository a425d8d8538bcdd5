//! Time limits, deadlines and pauses (M9 to M11). The caller supplies the time.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Match, Status};
use crate::{
    seat::{Seat, SeatSet},
    time::Timestamp,
};

/// What happens when a deadline passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnTimeout {
    /// The server makes a legal move for the seat; its player keeps it.
    #[default]
    Automatic,
    /// The seat resigns.
    Forfeit,
    /// A bot plays the seat until its player returns.
    Bot,
}

/// The time that a seat has for each decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeLimit {
    move_deadline: u32,
    on_timeout: OnTimeout,
}

impl TimeLimit {
    /// The shortest limit, in seconds.
    pub const SHORTEST: u32 = 1;
    /// The longest limit, in seconds: 30 days.
    pub const LONGEST: u32 = 30 * 24 * 60 * 60;

    /// A limit in seconds; `None` if it is too short or too long.
    #[must_use]
    pub const fn new(seconds: u32, on_timeout: OnTimeout) -> Option<Self> {
        let limit = Self { move_deadline: seconds, on_timeout };
        if limit.is_allowed() { Some(limit) } else { None }
    }

    /// Whether the limit is neither too short nor too long.
    pub(super) const fn is_allowed(self) -> bool {
        Self::SHORTEST <= self.move_deadline && self.move_deadline <= Self::LONGEST
    }

    /// The limit in seconds.
    #[must_use]
    pub const fn seconds(self) -> u32 {
        self.move_deadline
    }

    /// What happens when it passes.
    #[must_use]
    pub const fn on_timeout(self) -> OnTimeout {
        self.on_timeout
    }
}

/// When each seat was asked for its current decision, and pauses.
#[derive(Debug, Clone, Default)]
pub(super) struct Clocks {
    since: [Option<Timestamp>; Seat::MAX as usize],
    /// The seats that ask for a pause.
    pub(super) pause_asked: SeatSet,
    pub(super) paused_at: Option<Timestamp>,
}

impl Clocks {
    /// Starts the clocks of seats that have something new to decide, and stops those of seats that have nothing to decide.
    pub(super) fn ask(&mut self, asked: SeatSet, is_new: impl Fn(Seat) -> bool, at: Timestamp) {
        for seat in Seat::all(Seat::MAX) {
            let since = &mut self.since[seat.index()];
            if !asked.contains(seat) {
                *since = None;
            } else if since.is_none() || is_new(seat) {
                *since = Some(at);
            }
        }
    }

    /// Gives a seat whose time ran out its full time again.
    pub(super) fn restart(&mut self, seat: Seat, at: Timestamp) {
        self.since[seat.index()] = Some(at);
    }

    /// Gives a seat its full time again if it has something to decide.
    pub(super) fn restart_if_running(&mut self, seat: Seat, at: Timestamp) {
        if self.since[seat.index()].is_some() {
            self.restart(seat, at);
        }
    }

    pub(super) fn pause(&mut self, at: Timestamp) {
        self.pause_asked = SeatSet::NONE;
        self.paused_at = Some(at);
    }

    /// Every seat has as much time left as before the pause.
    pub(super) fn resume(&mut self, at: Timestamp) {
        let paused_at = self.paused_at.take().expect("a match that is resumed is paused");
        let pause = at.micros().saturating_sub(paused_at.micros()).max(0);
        for since in self.since.iter_mut().flatten() {
            *since = since.plus_micros(pause);
        }
    }
}

impl Match {
    /// The time limit, if there is one.
    #[must_use]
    pub fn time_limit(&self) -> Option<TimeLimit> {
        self.setup.time_limit
    }

    /// When the match was paused, if it is paused.
    #[must_use]
    pub fn paused_at(&self) -> Option<Timestamp> {
        self.clocks.paused_at.filter(|_| self.status == Status::Playing)
    }

    /// The seats that ask for a pause.
    #[must_use]
    pub fn pause_asked(&self) -> SeatSet {
        if self.status == Status::Playing { self.clocks.pause_asked } else { SeatSet::NONE }
    }

    /// The deadline of a seat, if the match waits for it and there is a time limit. A bot has none (M13).
    #[must_use]
    pub fn deadline(&self, seat: Seat) -> Option<Timestamp> {
        let limit = self.time_limit()?;
        let asked = self.to_act().contains(seat)
            && !self.resigned().contains(seat)
            && self.bot_in(seat).is_none();
        let since = self.clocks.since[seat.index()].filter(|_| asked)?;
        Some(since.plus_micros(i64::from(limit.seconds()) * 1_000_000))
    }

    /// The next deadline of the match.
    #[must_use]
    pub fn due_at(&self) -> Option<Timestamp> {
        self.time_limit()?;
        self.to_act().iter().filter_map(|seat| self.deadline(seat)).min()
    }

    /// Whether all seats that have not resigned ask for a pause. Bots agree to any (M13).
    pub(super) fn agrees_to_pause(&self) -> bool {
        let asked = self.pause_asked();
        let resigned = self.resigned();
        self.status == Status::Playing
            && self.paused_at().is_none()
            && !asked.is_empty()
            && Seat::all(self.seat_count()).all(|seat| {
                asked.contains(seat) || resigned.contains(seat) || self.bot_in(seat).is_some()
            })
    }
}
