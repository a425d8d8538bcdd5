//! Notifications of the players of a match, wherever they are: it started, it is their turn, it is over. They follow from the log
//! alone, so they can be produced again, and they contain only what everybody who sees the match may know.

use std::sync::Arc;

use domain::{
    matches::{self, Commit, Match, Status},
    outcome::Outcome,
    seat::Seat,
};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::clock;

mod steps;

pub use steps::StepReader;

/// The kind of a notification.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
pub enum NotificationKind {
    /// Somebody else took a seat in your match.
    #[serde(rename = "match.seat_taken")]
    SeatTaken,
    /// Somebody left a seat in your match.
    #[serde(rename = "match.seat_left")]
    SeatLeft,
    /// Your match started.
    #[serde(rename = "match.started")]
    Started,
    /// Your match now waits for you.
    #[serde(rename = "match.turn")]
    Turn,
    /// Somebody else moved or resigned in your match. Sent to webhooks only.
    #[serde(rename = "match.moved")]
    Moved,
    /// Your match was played to its end.
    #[serde(rename = "match.finished")]
    Finished,
    /// Your match was abandoned: everybody left, or it did not start in time.
    #[serde(rename = "match.abandoned")]
    Abandoned,
    /// Somebody invites you to a match.
    #[serde(rename = "match.invited")]
    Invited,
}

impl NotificationKind {
    const ALL: [Self; 8] = [
        Self::SeatTaken,
        Self::SeatLeft,
        Self::Started,
        Self::Turn,
        Self::Moved,
        Self::Finished,
        Self::Abandoned,
        Self::Invited,
    ];

    /// Reads a list of kinds, separated by commas; unknown ones are left out.
    #[must_use]
    pub fn parse_list(text: &str) -> Vec<Self> {
        let kind = |id| Self::ALL.into_iter().find(|kind| kind.id() == id);
        text.split(',').filter_map(kind).collect()
    }

    /// The kind as it is written in JSON.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::SeatTaken => "match.seat_taken",
            Self::SeatLeft => "match.seat_left",
            Self::Started => "match.started",
            Self::Turn => "match.turn",
            Self::Moved => "match.moved",
            Self::Finished => "match.finished",
            Self::Abandoned => "match.abandoned",
            Self::Invited => "match.invited",
        }
    }
}

impl From<matches::NotificationKind> for NotificationKind {
    fn from(kind: matches::NotificationKind) -> Self {
        use matches::NotificationKind;
        match kind {
            NotificationKind::SeatTaken => Self::SeatTaken,
            NotificationKind::SeatLeft => Self::SeatLeft,
            NotificationKind::Moved => Self::Moved,
            NotificationKind::Started => Self::Started,
            NotificationKind::Turn => Self::Turn,
            NotificationKind::Finished => Self::Finished,
            NotificationKind::Abandoned => Self::Abandoned,
        }
    }
}

/// What a notification is about.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct NotificationData {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The key of its game.
    #[schema(example = "qwinto")]
    pub game: &'static str,
    /// Its version then.
    #[schema(example = 17)]
    pub version: u64,
    /// Its status then.
    pub status: Status,
    /// The seats that it waited for then.
    pub to_act: Vec<Seat>,
    /// Your seat, if you have one.
    pub my_seat: Option<Seat>,
    /// The seat that did it or to which it happened, if it is about one.
    pub seat: Option<Seat>,
    /// The result, once it is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

/// One commit of a match: the notifications that follow from it, and the match after it.
#[derive(Debug, Clone)]
pub struct MatchStep {
    after: Arc<Match>,
    commit: Arc<Commit>,
    notifications: Arc<[matches::Notification]>,
}

impl MatchStep {
    /// The match after it.
    #[must_use]
    pub fn after(&self) -> &Match {
        &self.after
    }

    /// When it was.
    #[must_use]
    pub fn at(&self) -> OffsetDateTime {
        clock::to_datetime(self.commit.at)
    }

    /// The notifications of this step for a player, who may sit in the match or not.
    #[must_use]
    pub fn notifications(&self, player: Uuid) -> Vec<(NotificationKind, NotificationData)> {
        let mine = self.after.seat_of(player);
        let concerning = self.notifications.iter().filter(|it| it.is_for(player, mine));
        concerning.map(|it| (it.kind.into(), self.data(mine, it.seat))).collect()
    }

    fn data(&self, my_seat: Option<Seat>, seat: Option<Seat>) -> NotificationData {
        NotificationData {
            match_id: self.after.id(),
            game: self.after.game().info().key,
            version: self.after.version(),
            status: self.after.status(),
            to_act: self.after.to_act().iter().collect(),
            my_seat,
            seat,
            outcome: self.after.outcome().cloned(),
        }
    }
}
