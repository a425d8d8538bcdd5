//! `GET /v1/matches/{id}/events`

use actix_web::{
    get,
    web::{Data, Json, Path},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{EventDocument, event_documents, visible};
use crate::{
    app::App,
    auth::MaybeCaller,
    error::{ApiResult, NotFound},
    http::{Fresh, Language, Limit, Params},
};

/// Which events are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Range {
    /// Only those after this version; all if left out.
    #[serde(default)]
    #[param(value_type = Option<u64>, example = 5)]
    after: u64,
    /// How many; 50 if left out.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Limit,
}

/// Events of a match, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventPage {
    /// The version of the match now.
    version: u64,
    /// The events as you may see them.
    events: Vec<EventDocument>,
    /// `after` for the next page; `null` when there is nothing more yet.
    next: Option<u64>,
}

/// What has happened
#[utoipa::path(
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        Range,
        ("Accept-Language" = Option<String>, Header, description = "`en` or `es`, for the texts."),
    ),
    responses((status = 200, description = "Events, oldest first.", body = EventPage), NotFound),
)]
#[get("/v1/matches/{id}/events")]
pub async fn list_events(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    fresh: Fresh,
    range: Params<Range>,
    language: Language,
) -> ApiResult<Json<EventPage>> {
    let table = visible(&app, *id, caller, fresh.0).await?;
    let viewer = table.viewer(caller.player());
    let limit = usize::try_from(range.0.limit.get()).unwrap_or(usize::MAX);
    let mut events = Vec::new();
    for commit in app.matches.history(*id, table.version()).await?.iter() {
        if commit.version() <= range.0.after || commit.seq >= table.version() {
            continue;
        }
        let recorded = commit.read(Some(table.game()))?;
        let documents =
            event_documents(&recorded.events, commit.seq + 1, commit.at, viewer, language.0);
        events.extend(documents.filter(|event| event.version > range.0.after));
        if events.len() > limit {
            break;
        }
    }
    let more = events.len() > limit;
    events.truncate(limit);
    let next = events.last().filter(|_| more).map(|event| event.version);
    Ok(Json(EventPage { version: table.version(), events, next }))
}
