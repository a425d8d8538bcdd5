//! `GET /v1/matches/{id}/events`

use std::{sync::Arc, time::Duration};

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use domain::matches::Match;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{EventDocument, events_after, visible};
use service::{clock, live::Consistency};

use crate::{
    app::App,
    error::{ApiResult, NotFound, TooMany},
    http::{Language, Limit, Params, ReadConsistency, Wait},
    middleware::Endpoint,
    middleware::MaybeCaller,
    streams::{
        match_stream::{self, MatchMessage, Wanted},
        request::StreamRequest,
    },
};

/// Which events are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Range {
    /// Only those after this version. All if left out; in a stream, those to come. `Last-Event-ID` wins over it.
    #[param(example = 5)]
    after: Option<u64>,
    /// How many; 50 if left out. Not for streams.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Limit,
    /// For how many seconds to wait if there is nothing after `after` yet. Not for streams.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 0, maximum = 60)]
    wait: Wait,
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

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_list_events, list_events)
}

/// What has happened, and what happens
///
/// By `Accept`: a page of JSON, which with `wait` is answered as soon as there is something in it; or a stream, as server-sent
/// events or as lines of JSON.
///
/// A stream begins with a `snapshot` of the match as it is now, with the seats that have a stream open; then comes an `event` for
/// each event, as you may see it when it is sent, and a `state` after those of one move; `presence` whenever a seat opens its
/// first stream or closes its last; and at last an `end`, which says why. Events that you missed come right after the
/// snapshot if you resume by `Last-Event-ID` or `after`. A silent stream gives a sign of life every 15 seconds: a comment, or
/// an empty line. It ends with the match, with the access token (`token_expired`, `token_revoked`), with the server (`server_closing`), or when you
/// do not read (`too_slow`); but for the first you can resume. A session may have 32 streams open at a time, or as the server is configured.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/events",
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        Range,
        ("Last-Event-ID" = Option<String>, Header, description = "Resumes a stream: the `id` of the last message that you have."),
        ("Accept-Language" = Option<String>, Header, description = "`en` or `es`, for the texts."),
    ),
    responses(
        (status = 200, description = "Events, oldest first, or a stream of messages.", content(
            (EventPage = "application/json"),
            (MatchMessage = "text/event-stream"),
            (MatchMessage = "application/x-ndjson"),
        )),
        NotFound, TooMany,
    ),
)]
pub async fn list_events(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    fresh: ReadConsistency,
    range: Params<Range>,
    language: Language,
    asked: StreamRequest,
) -> ApiResult<HttpResponse> {
    let range = range.0;
    if asked.framing.is_some() {
        let wanted =
            Wanted { id: *id, caller, consistency: fresh.0, after: range.after, lang: language.0 };
        return match_stream::open(app, wanted, asked).await;
    }
    let table = visible(&app, *id, caller, fresh.0).await?;
    let after = range.after.unwrap_or_default();
    let is_patient = !range.wait.get().is_zero() && !table.status().is_over();
    let table = if table.version() <= after && is_patient {
        wait(&app, &table, after, range.wait.get(), asked).await?
    } else {
        table
    };
    let limit = usize::try_from(range.limit.get()).unwrap_or(usize::MAX);
    let commits = app.matches.history(*id, table.version()).await?;
    let mut events = events_after(&commits, &table, (after, limit), caller.player(), language.0)?;
    let more = events.len() > limit;
    events.truncate(limit);
    let next = events.last().filter(|_| more).map(|event| event.version);
    let version = table.version();
    Ok(HttpResponse::Ok().json(EventPage { version, events, next }))
}

/// Waits until there is something after a version, or the time is up.
async fn wait(
    app: &App,
    table: &Arc<Match>,
    after: u64,
    most: Duration,
    asked: StreamRequest,
) -> ApiResult<Arc<Match>> {
    let _place = app.stream_limits.open(asked.holder)?;
    let mut watcher = app.matches.watchers().watch(table.id());
    let mut closing = app.tasks.closing();
    let until = clock::after(app.clock.now(), most);
    let until = asked.expires.map_or(until, |expires| until.min(expires));
    let mut table = Arc::clone(table);
    loop {
        let is_behind = watcher.told().version > table.version();
        let consistency = if is_behind { Consistency::Store } else { Consistency::Local };
        table = app.matches.get(table.id(), consistency).await?.unwrap_or(table);
        if table.version() > after || table.status().is_over() {
            return Ok(table);
        }
        tokio::select! {
            () = watcher.changed() => {}
            () = closing.requested() => return Ok(table),
            () = app.clock.sleep_until(until) => return Ok(table),
        }
    }
}
