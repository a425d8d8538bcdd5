//! `GET /v1/matches/{id}/frames`

use std::{net::IpAddr, sync::Arc};

use actix_web::{
    HttpResponse,
    http::StatusCode,
    web::{Bytes, Data, Path},
};
use domain::{
    matches::{Commit, Corrupt, Replay},
    seat::Viewer,
};
use futures_util::{Stream, stream};
use serde::Deserialize;
use service::{
    bulkheads::{Bulkhead, Turn},
    history::{History, PORTION},
};
use utoipa::IntoParams;
use uuid::Uuid;

use super::viewpoint::{ViewerParam, Viewpoint};
use crate::{
    app::App,
    documents::{Frame, FramePage},
    error::{ApiError, ApiResult, Forbidden, NotAcceptable, NotFound},
    http::{Accepted, Address, Finite, IfNoneMatch, JSON, Limit, NDJSON, Params, ReadConsistency},
    middleware::{Endpoint, MaybeCaller},
};

/// The approximate number of bytes of a stream that are sent at once.
const CHUNK: usize = 32 * 1024;

/// Which frames to list, and for which viewer.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListFramesQuery {
    /// Only frames after this version; by default all.
    #[serde(default)]
    #[param(value_type = Option<u64>, example = 5)]
    after: u64,
    /// The number of frames. The default is 50 on a page, and no limit in a stream.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Option<Limit>,
    /// The viewer: `seat` (your own seat), `spectator`, and once the match is over also `archive` (everything) or the number of
    /// any seat. The default is your own seat if you have one, and otherwise `spectator`.
    #[serde(rename = "as")]
    #[param(value_type = Option<String>, example = "spectator")]
    viewer: Option<ViewerParam>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_frames, list_frames)
}

/// List frames
///
/// Every event with the match right after it, to step through a match: who acted, when, what happened in words, and the view. While
/// the match is being played, you see what you could see then; hidden information of other seats is shown only after the end. The
/// frames of a match that is over never change.
///
/// With `Accept: application/x-ndjson`, all frames after `after` are sent as a stream, one per line.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/frames",
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ListFramesQuery,
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "Frames, oldest first; as `application/x-ndjson`, one per line.",
         content((FramePage = "application/json"), (Frame = "application/x-ndjson")),
         headers(("ETag" = String, description = "The version of the match and the viewer."))),
        (status = 304, description = "The response has not changed."),
        Forbidden,
        NotFound,
        NotAcceptable,
    ),
)]
pub async fn list_frames(
    app: Data<App>,
    caller: MaybeCaller,
    (id, address): (Path<Uuid>, Address),
    consistency: ReadConsistency,
    query: Params<ListFramesQuery>,
    known: IfNoneMatch,
    accepted: Accepted,
) -> ApiResult<HttpResponse> {
    let ListFramesQuery { after, limit, viewer } = query.0;
    let viewpoint = Viewpoint::find(&app, *id, caller, consistency.0, None, viewer).await?;
    let media_type = accepted.best(&[JSON, NDJSON])?;
    let shape = if media_type == NDJSON { "stream" } else { "page" };
    let tag = format!("\"{}-{shape}\"", viewpoint.tag());
    let mut response = viewpoint.response(&tag, "Accept, Authorization");
    let (version, viewer) = (viewpoint.version, viewpoint.viewer);
    if known.has(&tag) {
        response.status(StatusCode::NOT_MODIFIED);
        return Ok(response.finish());
    }
    let (bulkhead, who) = (Arc::clone(&app.bulkheads.records), address.0);
    let turn = bulkhead.enter(who).await?;
    let after = after.min(version);
    if media_type == NDJSON {
        let until = version.min(after.saturating_add(limit.map_or(u64::MAX, Limit::get)));
        let history = app.matches.history().clone();
        let stretch = history.stretch(*id, after..until.min(after + PORTION)).await?;
        let steps = turn.work(move || stretch.replay(after)).await??;
        response.extensions_mut().insert(Finite);
        let frames = Frames { id: *id, history, steps, viewer, until };
        return Ok(response.content_type(NDJSON).streaming(lines(frames, bulkhead, who)));
    }
    let until = version.min(after.saturating_add(limit.unwrap_or_default().get()));
    let stretch = app.matches.history().stretch(*id, after..until).await?;
    let page = move || page(stretch.replay(after)?, viewer, version, until);
    Ok(response.content_type(JSON).body(turn.work(page).await??))
}

/// A match, step by step.
type Steps = Replay<Vec<Commit>>;

/// A page of frames, as JSON.
fn page(mut steps: Steps, viewer: Viewer, version: u64, until: u64) -> Result<Vec<u8>, Corrupt> {
    let mut frames = Vec::new();
    while steps.version() < until
        && let Some(step) = steps.step()?
    {
        frames.push(Frame::new(&step, viewer));
    }
    let next = frames.last().map(|frame| frame.version).filter(|last| *last < version);
    let page = serde_json::to_vec(&FramePage { version, frames, next });
    Ok(page.expect("frames are plain data"))
}

/// The frames of a stream that have not been sent.
struct Frames {
    id: Uuid,
    history: History,
    /// The steps of the portion of the log that is in memory.
    steps: Steps,
    viewer: Viewer,
    /// The last version to send.
    until: u64,
}

/// Frames are built while they are sent, so that only a portion of the log and a chunk of frames are in memory. Each chunk takes
/// a turn.
fn lines(
    frames: Frames,
    bulkhead: Arc<Bulkhead>,
    who: IpAddr,
) -> impl Stream<Item = Result<Bytes, actix_web::Error>> {
    stream::try_unfold((frames, bulkhead), move |(frames, bulkhead)| async move {
        if frames.steps.version() >= frames.until {
            return Ok(None);
        }
        let turn = bulkhead.enter(who).await.map_err(ApiError::from)?;
        let (chunk, frames) = frames.chunk(&turn).await?;
        Ok(Some((chunk.into(), (frames, bulkhead))))
    })
}

impl Frames {
    /// The next frames, one per line.
    async fn chunk(mut self, turn: &Turn) -> ApiResult<(Vec<u8>, Self)> {
        let mut chunk = Vec::new();
        while chunk.len() < CHUNK && self.steps.version() < self.until {
            if self.steps.is_done() {
                let seen = self.steps.version();
                let next = seen..self.until.min(seen + PORTION);
                self.steps.go_on(self.history.commits(self.id, next).await?);
            }
            (chunk, self) = turn.work(move || self.extend(chunk)).await??;
        }
        Ok((chunk, self))
    }

    /// Adds frames to a chunk until it is full or the portion in memory ends.
    fn extend(mut self, mut chunk: Vec<u8>) -> Result<(Vec<u8>, Self), Corrupt> {
        while chunk.len() < CHUNK
            && self.steps.version() < self.until
            && let Some(step) = self.steps.step()?
        {
            serde_json::to_writer(&mut chunk, &Frame::new(&step, self.viewer)).expect("plain data");
            chunk.push(b'\n');
        }
        Ok((chunk, self))
    }
}
