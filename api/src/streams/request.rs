//! What a request says about the stream that it wants.

use std::{
    future::{Ready, ready},
    time::Duration,
};

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, web::Data};
use domain::time::Timestamp;
use service::{clock, streams::StreamHolder};

use super::Framing;
use crate::{
    app::App,
    error::ApiError,
    http::{Accepted, Address, JSON, NDJSON, SSE},
    middleware::{Bodiless, MaybeCaller},
};

/// No stream lasts longer.
const LONGEST: Duration = Duration::from_hours(24);

/// What a request says about the stream that it wants.
#[derive(Debug)]
pub struct StreamRequest {
    /// How messages are told apart; none if one JSON document is wanted.
    pub framing: Option<Framing>,
    /// The id of the last message that the client has.
    pub last_event_id: Option<String>,
    /// Whose stream it is.
    pub holder: StreamHolder,
    /// When the token expires.
    pub expires: Option<Timestamp>,
    /// Whether only the head of the answer is wanted.
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
        // A personal access token may be good for longer than a stream lasts.
        let longest = clock::after(app.clock.now(), LONGEST);
        let expires = caller.0.map(|caller| caller.expires.min(longest));
        let holder = caller.0.map_or_else(
            || {
                let Ok(address) = Address::from_request(request, payload).into_inner();
                StreamHolder::Address(address.0)
            },
            |caller| StreamHolder::Session(caller.session),
        );
        let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
        ready(Ok(Self {
            framing: framing(&Accepted::of(request.headers())),
            last_event_id: text("last-event-id").filter(|id| !id.is_empty()).map(str::to_owned),
            holder,
            expires,
            bodiless: request.extensions().get::<Bodiless>().is_some(),
        }))
    }
}

/// The framing that the client prefers; none where it prefers JSON, or nothing that we know.
fn framing(accepted: &Accepted) -> Option<Framing> {
    match accepted.preferred(&[JSON, SSE, NDJSON]) {
        Some(SSE) => Some(Framing::Sse),
        Some(NDJSON) => Some(Framing::Ndjson),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{self, HeaderMap, HeaderValue};

    use super::*;

    #[test]
    fn a_stream_is_opened_for_those_who_ask_for_one() {
        for (accept, wanted) in [
            ("", None),
            ("*/*", None),
            ("text/html", None),
            ("text/event-stream", Some(Framing::Sse)),
            ("text/event-stream, */*", Some(Framing::Sse)),
            ("application/x-ndjson;q=0.9, application/json;q=0.1", Some(Framing::Ndjson)),
            ("application/json, text/event-stream;q=0.5", None),
            ("text/event-stream;q=0", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
            assert_eq!(framing(&Accepted::of(&headers)), wanted, "{accept}");
        }
    }
}
