//! Requests for streams.

use std::{
    future::{Ready, ready},
    time::Duration,
};

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, web::Data};
use domain::time::Timestamp;
use service::{clock, occupancy::Holder};

use super::Framing;
use crate::{
    app::App,
    error::ApiError,
    http::{Accepted, Address, JSON, NDJSON, SSE},
    middleware::{Bodiless, MaybeCaller},
};

/// The longest time that a stream may last.
const LONGEST: Duration = Duration::from_hours(24);

/// A request for a stream.
#[derive(Debug)]
pub struct StreamRequest {
    /// How messages are framed; `None` if the client prefers a JSON document.
    pub framing: Option<Framing>,
    /// The id of the last message that the client received.
    pub last_event_id: Option<String>,
    /// Who holds the stream, for the limits.
    pub holder: Holder,
    /// When the token expires.
    pub expires: Option<Timestamp>,
    /// Whether only the headers of the response are needed.
    pub bodiless: bool,
}

impl FromRequest for StreamRequest {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let caller = match MaybeCaller::from_request(request, payload).into_inner() {
            Ok(caller) => caller,
            Err(error) => return ready(Err(error)),
        };
        let Some(app) = request.app_data::<Data<App>>() else {
            return ready(Err(ApiError::internal()));
        };
        // A personal access token may be valid for longer than a stream lasts.
        let longest = clock::after(app.clock.now(), LONGEST);
        let expires = caller.0.map(|caller| caller.expires.min(longest));
        let Ok(address) = Address::from_request(request, payload).into_inner();
        let holder = caller.holder(address);
        let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
        ready(Ok(Self {
            framing: framing(&Accepted::of(request)),
            last_event_id: text("last-event-id").filter(|id| !id.is_empty()).map(str::to_owned),
            holder,
            expires,
            bodiless: request.extensions().get::<Bodiless>().is_some(),
        }))
    }
}

/// The framing that the client prefers; `None` if it prefers JSON or accepts none of them.
fn framing(accepted: &Accepted) -> Option<Framing> {
    match accepted.preferred(&[JSON, SSE, NDJSON]) {
        Some(SSE) => Some(Framing::Sse),
        Some(NDJSON) => Some(Framing::Ndjson),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_stream_is_opened_only_on_request() {
        for (accept, expected) in [
            ("", None),
            ("*/*", None),
            ("text/html", None),
            ("text/event-stream", Some(Framing::Sse)),
            ("text/event-stream, */*", Some(Framing::Sse)),
            ("application/x-ndjson;q=0.9, application/json;q=0.1", Some(Framing::Ndjson)),
            ("application/json, text/event-stream;q=0.5", None),
            ("text/event-stream;q=0", None),
        ] {
            let request = TestRequest::default().insert_header(("accept", accept));
            let accepted = Accepted::of(&request.to_http_request());
            assert_eq!(framing(&accepted), expected, "{accept}");
        }
    }
}
