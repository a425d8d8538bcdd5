//! JSON bodies: at most 64 KiB, no unknown fields, and an error that names the field.

use std::{future::Future, pin::Pin};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::{StatusCode, header},
    web::Bytes,
};
use domain::{shape, text::Text};
use serde::de::DeserializeOwned;

use super::{
    nul,
    receive::{broken, receive},
};
use crate::error::ApiError;

/// A JSON body.
#[derive(Debug)]
pub struct Body<T> {
    /// The parsed value.
    pub value: T,
    /// The bytes as they were sent.
    pub bytes: Bytes,
}

impl<T: DeserializeOwned> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        // A missing body counts as `{}`.
        let is_missing = request.headers().get(header::CONTENT_TYPE).is_none();
        let is_json = is_missing || is_json(request);
        let (request, mut payload) = (request.clone(), payload.take());
        Box::pin(async move {
            if !is_json {
                return Err(not_json());
            }
            let body = receive(&request, &mut payload).await?;
            if is_missing && !body.is_empty() {
                return Err(not_json());
            }
            let bytes = if is_missing { Bytes::from_static(b"{}") } else { body };
            let text = std::str::from_utf8(&bytes)
                .map_err(|_| broken("The body is not UTF-8.", "El cuerpo no está en UTF-8."))?;
            nul::refuse_in_json(text)?;
            let value = shape::parse(text).map_err(|shape| ApiError::bad_shape("", shape))?;
            Ok(Self { value, bytes })
        })
    }
}

fn is_json(request: &HttpRequest) -> bool {
    let media_type = request.headers().get(header::CONTENT_TYPE);
    let essence = media_type.and_then(|value| value.to_str().ok()?.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

fn not_json() -> ApiError {
    ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "not_json",
        Text::new(
            "Send the body as JSON, with `Content-Type: application/json`.",
            "Envía el cuerpo como JSON, con `Content-Type: application/json`.",
        ),
    )
}
