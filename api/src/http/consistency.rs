//! `Cache-Control: no-cache` in a request: read from the store, not from the memory of this replica.

use std::{
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header};

use service::live::Consistency;

/// How current the response must be.
#[derive(Debug, Clone, Copy)]
pub struct ReadConsistency(pub Consistency);

impl FromRequest for ReadConsistency {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let is_store = request
            .headers()
            .get(header::CACHE_CONTROL)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| value.split(',').any(|part| part.trim() == "no-cache"));
        ready(Ok(Self(if is_store { Consistency::Store } else { Consistency::Local })))
    }
}
