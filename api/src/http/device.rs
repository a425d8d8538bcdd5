//! The client behind a request, as the list of sessions shows it.

use std::{
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header};
use service::identity;

use super::Address;

/// The client that sends a request: its `User-Agent` and its address.
#[derive(Debug, Clone)]
pub struct Device(pub identity::Device);

impl FromRequest for Device {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let name = request.headers().get(header::USER_AGENT);
        let name = name.and_then(|name| name.to_str().ok()).map(str::to_owned);
        ready(Ok(Self(identity::Device { name, address: Address::of(request).0 })))
    }
}
