//! Past versions of matches.

use domain::{
    matches::{Match, ReplayStep, Status},
    seat::{Seat, Viewer},
    text::Lang,
};
use serde::Serialize;
use serde_json::value::RawValue;
use service::clock;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::schema::{AnyEvent, AnyView};

/// A match as it was at a version.
#[derive(Debug, Serialize, ToSchema)]
pub struct Replay {
    /// The version.
    #[schema(example = 6)]
    pub version: u64,
    /// When the match reached it.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// The status of the match.
    pub status: Status,
    /// The seats that the match waited for.
    pub to_act: Vec<Seat>,
    /// What the viewer saw of the game; `null` before the start.
    #[schema(value_type = Option<AnyView>)]
    pub view: Option<Box<RawValue>>,
}

impl Replay {
    /// A past version of a match, as a viewer may see it.
    #[must_use]
    pub fn new(version: u64, then: &Match, viewer: Viewer) -> Self {
        Self {
            version,
            at: clock::to_datetime(then.updated_at()),
            status: then.status(),
            to_act: then.to_act().iter().collect(),
            view: then.view(viewer),
        }
    }
}

/// An event and the match right after it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Frame {
    /// The version of the match after the event.
    #[schema(example = 6)]
    pub version: u64,
    /// When the event happened.
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
    pub text: BothTexts,
    /// What the viewer saw of the game after the event; `null` before the start.
    #[schema(value_type = Option<AnyView>)]
    pub view: Option<Box<RawValue>>,
}

/// A text in both languages.
#[derive(Debug, Serialize, ToSchema)]
pub struct BothTexts {
    /// English.
    #[schema(example = "Rolled: orange 6.")]
    pub en: String,
    /// Spanish.
    #[schema(example = "Dados: naranja 6.")]
    pub es: String,
}

impl Frame {
    /// A step of a match, as a viewer may see it.
    #[must_use]
    pub fn new(step: &ReplayStep<'_>, viewer: Viewer) -> Self {
        Self {
            version: step.game_match.version(),
            at: clock::to_datetime(step.at),
            by: step.event.by(),
            automatic: step.event.automatic(),
            event: step.event.view(viewer),
            text: BothTexts {
                en: step.event.tell(viewer, Lang::En),
                es: step.event.tell(viewer, Lang::Es),
            },
            view: step.game_match.view(viewer),
        }
    }
}

/// A page of frames, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct FramePage {
    /// The current version of the match.
    pub version: u64,
    /// The frames.
    pub frames: Vec<Frame>,
    /// `after` for the next page; `null` if there are no more frames yet.
    pub next: Option<u64>,
}
