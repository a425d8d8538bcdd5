//! `GET /v1/me/stream`

use actix_web::{HttpResponse, web::Data};

use crate::{
    app::App,
    documents::MyMessage,
    error::{ApiResult, TooMany},
    http::Language,
    middleware::Caller,
    middleware::Endpoint,
    streams::{my_stream, request::StreamRequest},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_stream_me, stream_me)
}

/// Everything that concerns you
///
/// A stream over all your matches: server-sent events, or lines of JSON by `Accept`. It begins with a `snapshot` of the matches that
/// wait for you and of your invitations; then come notices: `match.seat_taken`, `match.seat_left`, `match.started`, `match.turn`,
/// `match.finished`, `match.invited`.
/// Resumed by `Last-Event-ID`, it tells everything that you missed, at least once, as far as 10,000 batches of writing back;
/// beyond that the snapshot says `"complete": false`. Signs of life, caps and the `end` are those of the stream of a match.
#[utoipa::path(
    get,
    path = "/v1/me/stream",
    tag = "Players",
    security(("bearer" = ["match:read"])),
    params(
        ("Last-Event-ID" = Option<String>, Header, description = "Resumes a stream: the `id` of the last message that you have."),
        ("Accept-Language" = Option<String>, Header, description = "`en` or `es`, for the texts."),
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
    asked: StreamRequest,
) -> ApiResult<HttpResponse> {
    my_stream::open(app, caller, language.0, asked).await
}
