//! `GET /v1/matches/{id}/events`

use std::{sync::Arc, time::Duration};

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use domain::matches::Match;
use serde::Deserialize;
use service::{clock, live::Consistency};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    app::App,
    documents::{EventDocument, EventPage, MatchMessage},
    error::{ApiError, ApiResult, NotFound, TooMany},
    http::{Language, Limit, Params, ReadConsistency, Wait},
    middleware::{Endpoint, MaybeCaller},
    streams::{
        match_stream::{self, MatchStreamRequest},
        request::StreamRequest,
    },
};

/// Which events to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListEventsQuery {
    /// Only events after this version. The default is all events, and in a stream only new ones. `Last-Event-ID` takes precedence.
    #[param(example = 5)]
    after: Option<u64>,
    /// The number of events; by default 50. Not for streams.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Limit,
    /// How many seconds to wait if there is no event after `after` yet. Not for streams.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 0, maximum = 60)]
    wait: Wait,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_events, list_events)
}

/// List or stream events
///
/// Depending on `Accept`, the response is a page of JSON or a stream of messages, as server-sent events or one JSON document per
/// line. With `wait`, an empty page is held back until there is an event or the time is up.
///
/// A stream begins with a `snapshot` of the current match, including the seats that have a stream open. After that it sends an
/// `event` for each event, as you may see it at that moment, a `state` after the events of each move, and `presence` whenever a seat
/// opens its first stream or closes its last. The last message is an `end` with the reason. To resume a stream, send `Last-Event-ID`
/// or `after`: the events that you missed follow the snapshot. A silent stream sends a keep-alive every 15 seconds, which is a
/// comment or an empty line.
///
/// A stream ends with the match (`match_over`), with the access token (`token_expired`, `token_revoked`), with the server
/// (`server_closing`), or if the client reads too slowly (`too_slow`). Except for the first, you can resume it. By default, a session may
/// have 32 streams open at a time, a player 64, and an address 1,000.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/events",
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ListEventsQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "Resumes a stream: the `id` of the last message that you received."),
        ("Accept-Language" = Option<String>, Header, description = "The language of the texts: `en` or `es`."),
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
    consistency: ReadConsistency,
    query: Params<ListEventsQuery>,
    language: Language,
    stream: StreamRequest,
) -> ApiResult<HttpResponse> {
    let (ListEventsQuery { after, limit, wait }, lang) = (query.0, language.0);
    if stream.framing.is_some() {
        let request =
            MatchStreamRequest { id: *id, caller, consistency: consistency.0, after, lang };
        return match_stream::open(app, request, stream).await;
    }
    let m = app.visible_match(*id, caller.player(), consistency.0).await?;
    let after = after.unwrap_or(0);
    let waits = !wait.get().is_zero() && !m.status().is_over();
    let m = if m.version() <= after && waits {
        wait_for_events(&app, &m, after, wait.get(), stream).await?
    } else {
        m
    };
    let until = m.version().min(after.saturating_add(limit.and_one_more()));
    let commits = app.matches.history().commits(*id, after..until).await?;
    let events = EventDocument::after(after, &commits, &m, caller.player(), lang, limit.rows())?;
    let (events, next) = limit.page(events, |event| event.version);
    Ok(HttpResponse::Ok().json(EventPage { version: m.version(), events, next }))
}

/// Waits until there is an event after a version, or the time is up.
async fn wait_for_events(
    app: &App,
    m: &Arc<Match>,
    after: u64,
    time: Duration,
    stream: StreamRequest,
) -> ApiResult<Arc<Match>> {
    let _place = app.open_streams.take(stream.holder).map_err(ApiError::too_many_streams)?;
    let mut watcher = app.matches.watchers().watch(m.id());
    let mut closing = app.tasks.closing();
    let now = app.clock.now();
    let until = clock::after(now, time);
    let until = stream.expires.map_or(until, |expires| until.min(expires));
    let mut m = Arc::clone(m);
    loop {
        let is_behind = watcher.latest().version > m.version();
        let consistency = if is_behind { Consistency::Store } else { Consistency::Local };
        m = app.matches.get(m.id(), consistency).await?.unwrap_or(m);
        if m.version() > after || m.status().is_over() {
            return Ok(m);
        }
        tokio::select! {
            () = watcher.changed() => {}
            () = closing.requested() => return Ok(m),
            () = app.clock.sleep_until(now, until) => return Ok(m),
        }
    }
}
