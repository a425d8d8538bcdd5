//! `Cache-Control: no-cache` in a request: the client wants what stands in the store, not what this replica knows.

use std::{
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header};

use service::live::Consistency;

/// How current the answer has to be.
#[derive(Debug, Clone, Copy)]
pub struct ReadConsistency(pub Consistency);

impl FromRequest for ReadConsistency {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let wanted = request
            .headers()
            .get(header::CACHE_CONTROL)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| value.split(',').any(|part| part.trim() == "no-cache"));
        ready(Ok(Self(if wanted { Consistency::Store } else { Consistency::Local })))
    }
}
