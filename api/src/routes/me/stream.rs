//! `GET /v1/me/stream`

use actix_web::{HttpResponse, web::Data};

use crate::{
    app::App,
    documents::MyMessage,
    error::{ApiResult, TooMany},
    http::Language,
    middleware::{Caller, Endpoint},
    streams::{my_stream, request::StreamRequest},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_stream_me, stream_me)
}

/// Stream your notifications
///
/// One stream for all your matches, as server-sent events or, by `Accept`, as lines of JSON. It begins with a `snapshot` of the
/// matches that wait for you and of your invitations. Notifications follow: `match.seat_taken`, `match.seat_left`,
/// `match.started`, `match.turn`, `match.finished`, `match.invited`. To resume the stream, send `Last-Event-ID`: you get
/// everything that you missed at least once, going back up to 10,000 batches of writes; if you missed more, the snapshot says
/// `"complete": false`. Keep-alives, limits and the `end` message work as in the stream of a match.
#[utoipa::path(
    get,
    path = "/v1/me/stream",
    tag = "Players",
    security(("bearer" = ["match:read"])),
    params(
        ("Last-Event-ID" = Option<String>, Header, description = "Resumes a stream: the `id` of the last message that you received."),
        ("Accept-Language" = Option<String>, Header, description = "The language of the texts: `en` or `es`."),
    ),
    responses(
        (status = 200, description = "A stream of messages.", content(
            (MyMessage = "text/event-stream"),
            (MyMessage = "application/x-ndjson"),
        )),
        TooMany,
    ),
)]
pub async fn stream_me(
    app: Data<App>,
    caller: Caller,
    language: Language,
    request: StreamRequest,
) -> ApiResult<HttpResponse> {
    my_stream::open(app, caller, language.0, request).await
}
