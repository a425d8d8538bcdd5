//! Events as their viewers see them.

use domain::{
    matches::{Commit, Corrupt, Event, Match},
    seat::{Seat, Viewer},
    text::Lang,
    time::Timestamp,
};
use serde::Serialize;
use serde_json::value::RawValue;
use service::clock;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::schema::AnyEvent;

/// An event as the caller may see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventDocument {
    /// The version of the match after the event.
    #[schema(example = 6)]
    pub version: u64,
    /// When it happened.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// The seat that caused it; `null` if no seat did.
    pub by: Option<Seat>,
    /// Whether the server chose the move, because the seat had resigned or run out of time.
    pub automatic: bool,
    /// What happened.
    #[schema(value_type = AnyEvent)]
    pub event: Box<RawValue>,
    /// The event in words.
    #[schema(example = "Rolled: orange 6.")]
    pub text: String,
}

/// A page of events, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventPage {
    /// The current version of the match.
    pub version: u64,
    /// The events as the caller may see them.
    pub events: Vec<EventDocument>,
    /// `after` for the next page; `null` if there are no more events yet.
    pub next: Option<u64>,
}

impl EventDocument {
    /// Events as a viewer may see them; `first` is the version after the first of them.
    pub fn all<'a>(
        events: impl IntoIterator<Item = &'a Event>,
        first: u64,
        at: Timestamp,
        viewer: Viewer,
        lang: Lang,
    ) -> impl Iterator<Item = Self> {
        (first..).zip(events).map(move |(version, event)| Self {
            version,
            at: clock::to_datetime(at),
            by: event.by(),
            automatic: event.automatic(),
            event: event.view(viewer),
            text: event.tell(viewer, lang),
        })
    }

    /// The events in these commits after a version, as a player may see them now that the match is `m`. Stops at the end of
    /// the commit with which there are more than `limit` of them.
    pub fn after(
        version: u64,
        commits: &[Commit],
        m: &Match,
        player: Option<Uuid>,
        lang: Lang,
        limit: usize,
    ) -> Result<Vec<Self>, Corrupt> {
        let viewer = m.viewer(player);
        let mut events = Vec::new();
        for commit in commits {
            if commit.version() <= version || commit.seq >= m.version() {
                continue;
            }
            let recorded = commit.read(Some(m.game()))?;
            let documents = Self::all(&recorded.events, commit.seq + 1, commit.at, viewer, lang);
            events.extend(documents.filter(|event| event.version > version));
            if events.len() > limit {
                break;
            }
        }
        Ok(events)
    }
}
