//! Receiving bodies: not more than fits, not longer than agreed, and not too many unfinished ones from one address.

use std::{net::IpAddr, pin::pin, sync::Arc, time::Duration};

use actix_web::{
    HttpMessage, HttpRequest,
    dev::Payload,
    http::StatusCode,
    web::{Bytes, BytesMut, Data},
};
use domain::{
    shape::{BadShape, Misfit},
    text::Text,
};
use futures_util::{FutureExt, StreamExt};
use service::occupancy::{Caps, Holder, Occupancy};

use super::Address;
use crate::error::ApiError;

/// The largest body that is read.
pub const BODY_LIMIT: usize = 64 * 1024;

/// How many requests of one address may wait for the rest of their bodies.
const UNFINISHED_PER_ADDRESS: u32 = 128;
/// Bodies that arrive within this time do not count as unfinished. Nearly all arrive together with their heads.
const GRACE: Duration = Duration::from_secs(1);

/// Receives bodies.
#[derive(Debug)]
pub struct Bodies {
    time: Duration,
    unfinished: Arc<Occupancy>,
}

impl Bodies {
    /// Gives clients this much time to send a body.
    #[must_use]
    pub fn new(time: Duration) -> Self {
        let caps = Caps { address: UNFINISHED_PER_ADDRESS, ..Caps::default() };
        Self { time, unfinished: Occupancy::new("telar_unfinished_bodies", caps) }
    }

    /// Receives a body from an address.
    async fn receive(
        &self,
        payload: &mut Payload,
        address: impl FnOnce() -> IpAddr,
    ) -> Result<Bytes, ApiError> {
        let mut body = pin!(collect(payload));
        if let Some(body) = body.as_mut().now_or_never() {
            return body;
        }
        if let Ok(body) = tokio::time::timeout(GRACE.min(self.time), body.as_mut()).await {
            return body;
        }
        let place = self.unfinished.take(Holder::at(address()));
        let _place = place.map_err(|_| ApiError::too_many_unfinished())?;
        let rest = self.time.saturating_sub(GRACE);
        tokio::time::timeout(rest, body).await.map_err(|_| ApiError::slow_body())?
    }
}

/// Receives the body of a request.
pub async fn receive(request: &HttpRequest, payload: &mut Payload) -> Result<Bytes, ApiError> {
    let bodies = request.app_data::<Data<Bodies>>().ok_or_else(ApiError::internal)?;
    bodies.receive(payload, || Address::of(request).0).await
}

/// Whether the length of a body is not known beforehand.
pub fn is_chunked(request: &impl HttpMessage) -> bool {
    request.chunked().unwrap_or(false)
}

async fn collect(payload: &mut Payload) -> Result<Bytes, ApiError> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk =
            chunk.map_err(|_| broken("The body is incomplete.", "El cuerpo está incompleto."))?;
        if body.len() + chunk.len() > BODY_LIMIT {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// The problem of a body that cannot be read.
pub(super) fn broken(en: &str, es: &str) -> ApiError {
    ApiError::bad_shape("", BadShape::whole(Misfit::because(en, es)))
}

fn too_large() -> ApiError {
    ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "body_too_large",
        Text::new("The body is larger than 64 KiB.", "El cuerpo supera los 64 KiB."),
    )
}
