//! `GET /v1/matches/{id}/frames`

use std::sync::Arc;

use actix_web::{
    HttpResponse,
    http::StatusCode,
    web::{Bytes, Data, Path},
};
use domain::{
    matches::{Commit, Corrupt, Replay, ReplayStep},
    seat::{Seat, Viewer},
    text::Lang,
};
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::moment::{Eyes, Moment};
use service::clock;

use crate::{
    app::App,
    error::{ApiError, ApiResult, Forbidden, NotAcceptable, NotFound},
    http::{Accepted, Finite, IfNoneMatch, JSON, Limit, NDJSON, Params, ReadConsistency},
    middleware::Endpoint,
    middleware::MaybeCaller,
    openapi::{AnyEvent, AnyView},
};

/// So many bytes of a stream are sent at once, or a little more.
const CHUNK: usize = 32 * 1024;

/// Which frames are wanted, and through whose eyes.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Film {
    /// Only those after this version; all if left out.
    #[serde(default)]
    #[param(value_type = Option<u64>, example = 5)]
    after: u64,
    /// How many. If left out: 50 on a page, all of them in a stream.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Option<Limit>,
    /// Through whose eyes: `seat` (your own), `spectator`, and once the match is over also `archive` (everything) or the
    /// number of any seat. Your seat if you have one, else `spectator`, if left out.
    #[serde(rename = "as")]
    #[param(value_type = Option<String>, example = "spectator")]
    eyes: Option<Eyes>,
}

/// One event, and the match right after it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Frame {
    /// The version of the match after the event.
    #[schema(example = 6)]
    version: u64,
    /// When.
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
    /// Whose doing it was, where it was a seat's.
    by: Option<Seat>,
    /// What happened.
    #[schema(value_type = AnyEvent)]
    event: Box<RawValue>,
    /// The same in words.
    text: BothTexts,
    /// What was to be seen of the game then; `null` before it started.
    #[schema(value_type = Option<AnyView>)]
    view: Option<Box<RawValue>>,
}

/// A text in both languages.
#[derive(Debug, Serialize, ToSchema)]
pub struct BothTexts {
    /// English.
    #[schema(example = "Rolled: orange 6.")]
    en: String,
    /// Spanish.
    #[schema(example = "Dados: naranja 6.")]
    es: String,
}

/// Frames of a match, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct FramePage {
    /// The version of the match now.
    version: u64,
    /// The frames.
    frames: Vec<Frame>,
    /// `after` for the next page; `null` when there is nothing more yet.
    next: Option<u64>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_list_frames, list_frames)
}

/// A match frame by frame
///
/// Every event with the match right after it, for somebody to step through: who acted, when, what happened in words, and what was
/// to be seen then. While the match is being played you see what you could see then; others' secrets are shown only after the end.
/// The frames of a match that is over never change.
///
/// With `Accept: application/x-ndjson` all frames after `after` come as a stream, one a line.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/frames",
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        Film,
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "Frames, oldest first; as `application/x-ndjson` one a line.",
         content((FramePage = "application/json"), (Frame = "application/x-ndjson")),
         headers(("ETag" = String, description = "The version of the match and the viewer."))),
        (status = 304, description = "You have them already."),
        Forbidden,
        NotFound,
        NotAcceptable,
    ),
)]
pub async fn list_frames(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    fresh: ReadConsistency,
    film: Params<Film>,
    known: IfNoneMatch,
    accepted: Accepted,
) -> ApiResult<HttpResponse> {
    let moment = Moment::find(&app, *id, caller, fresh.0, None, film.0.eyes).await?;
    let form = accepted.best(&[JSON, NDJSON])?;
    let shape = if form == NDJSON { "stream" } else { "page" };
    let tag = format!("\"{}-{shape}\"", moment.tag());
    let mut response = moment.response(&tag, "Accept, Authorization");
    let (version, viewer) = (moment.version, moment.viewer);
    if known.has(&tag) {
        response.status(StatusCode::NOT_MODIFIED);
        return Ok(response.finish());
    }
    let log = app.matches.history(*id, version).await?;
    let steps = Replay::after(log, film.0.after)?;
    if form == NDJSON {
        let most = film.0.limit.map_or(u64::MAX, Limit::get);
        let until = version.min(film.0.after.saturating_add(most));
        response.extensions_mut().insert(Finite);
        return Ok(response.content_type(NDJSON).streaming(lines(steps, viewer, until)));
    }
    let limit = film.0.limit.unwrap_or_default().get();
    let until = version.min(film.0.after.saturating_add(limit));
    let frames = page(steps, viewer, until)?;
    let next = frames.last().map(|frame| frame.version).filter(|last| *last < version);
    Ok(response.json(FramePage { version, frames, next }))
}

/// The log of a match, stepped through.
type Log = Replay<Arc<Vec<Commit>>>;

fn page(mut steps: Log, viewer: Viewer, until: u64) -> Result<Vec<Frame>, Corrupt> {
    let mut frames = Vec::new();
    while steps.version() < until
        && let Some(step) = steps.step()?
    {
        frames.push(frame(&step, viewer));
    }
    Ok(frames)
}

/// Frames are made as they are sent: there is never more than a chunk of them.
fn lines(
    steps: Log,
    viewer: Viewer,
    until: u64,
) -> impl Stream<Item = Result<Bytes, actix_web::Error>> {
    stream::try_unfold(steps, move |mut steps| async move {
        let mut chunk = Vec::new();
        while chunk.len() < CHUNK
            && steps.version() < until
            && let Some(step) = steps.step().map_err(ApiError::from)?
        {
            serde_json::to_writer(&mut chunk, &frame(&step, viewer))?;
            chunk.push(b'\n');
        }
        Ok((!chunk.is_empty()).then(|| (chunk.into(), steps)))
    })
}

fn frame(step: &ReplayStep<'_>, viewer: Viewer) -> Frame {
    Frame {
        version: step.game_match.version(),
        at: clock::to_datetime(step.at),
        by: step.event.by(),
        event: step.event.view(viewer),
        text: BothTexts {
            en: step.event.tell(viewer, Lang::En),
            es: step.event.tell(viewer, Lang::Es),
        },
        view: step.game_match.view(viewer),
    }
}
