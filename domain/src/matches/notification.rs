//! What the players of a match are notified of: that it started, that it is their turn, that it is over.
//!
//! Follows from the events of a commit alone, so that it can be sent again. Holds only what everybody who sees the match may
//! know.

use uuid::Uuid;

use super::{
    Event, Match,
    event::{EventKind, MatchEvent},
};
use crate::{bot::BotLevel, seat::Seat};

/// What a notification says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NotificationKind {
    /// A player took a seat.
    SeatTaken,
    /// A player left a seat.
    SeatLeft,
    /// Something was done in a match that is being played: a move, a resignation, a pause, a timeout.
    Moved,
    /// The match started.
    Started,
    /// The match now waits for this seat.
    Turn,
    /// The match was played to its end.
    Finished,
    /// The match was abandoned before it started.
    Abandoned,
}

/// Whom a notification is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Everybody concerned with the match.
    Everyone,
    /// Everybody but the player whose command it was.
    EveryoneBut(Uuid),
    /// The player in this seat.
    Seat(Seat),
}

/// Something that players are to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notification {
    /// What it says.
    pub kind: NotificationKind,
    /// The seat that did it or to which it happened, if it is about one.
    pub seat: Option<Seat>,
    /// Whom it is for.
    pub audience: Audience,
}

impl Notification {
    /// Whether it is for a player, who may sit in the match or not.
    #[must_use]
    pub fn is_for(&self, player: Uuid, seat: Option<Seat>) -> bool {
        match self.audience {
            Audience::Everyone => true,
            Audience::EveryoneBut(other) => other != player,
            Audience::Seat(asked) => seat == Some(asked),
        }
    }
}

impl Match {
    /// What a commit gives notice of: its player and its events, in the match right after it.
    #[must_use]
    pub fn notifications(&self, player: Uuid, events: &[Event]) -> Vec<Notification> {
        let others = Audience::EveryoneBut(player);
        let mut seats = Vec::new();
        let (mut started, mut ending) = (None, None);
        for event in events {
            let EventKind::Match(life) = &event.0 else { continue };
            let about = |kind, seat, audience| Notification { kind, seat, audience };
            match life {
                MatchEvent::SeatTaken { seat, .. } => {
                    seats.push(about(NotificationKind::SeatTaken, Some(*seat), others));
                }
                MatchEvent::SeatLeft { seat, .. } => {
                    seats.push(about(NotificationKind::SeatLeft, Some(*seat), others));
                }
                MatchEvent::MatchStarted => {
                    started = Some(about(NotificationKind::Started, None, Audience::Everyone));
                }
                MatchEvent::MatchFinished { .. } => {
                    ending = Some(about(NotificationKind::Finished, None, Audience::Everyone));
                }
                MatchEvent::MatchAbandoned => {
                    ending = Some(about(NotificationKind::Abandoned, None, Audience::Everyone));
                }
                MatchEvent::MatchCreated(_)
                | MatchEvent::SeatResigned { .. }
                | MatchEvent::SeatTimedOut { .. }
                | MatchEvent::BotSteppedIn { .. }
                | MatchEvent::PlayerReturned { .. }
                | MatchEvent::PauseAsked { .. }
                | MatchEvent::PauseWithdrawn { .. }
                | MatchEvent::MatchPaused
                | MatchEvent::MatchResumed { .. } => {}
            }
        }
        let was_playing = self.started_at.is_some() && started.is_none();
        let moved = was_playing.then(|| Notification {
            kind: NotificationKind::Moved,
            seat: match BotLevel::of(player) {
                // A bot may have several seats, or play for somebody.
                Some(_) => events.iter().find_map(Event::by),
                None => self.seat_of(player),
            },
            audience: others,
        });
        let turns = self.newly_asked().iter().map(|seat| Notification {
            kind: NotificationKind::Turn,
            seat: Some(seat),
            audience: Audience::Seat(seat),
        });
        seats.into_iter().chain(moved).chain(started).chain(turns).chain(ending).collect()
    }
}
