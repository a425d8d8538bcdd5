//! JSON bodies: at most 64 KiB, no unknown fields, and an error that names the field.

use std::{future::Future, pin::Pin};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::{StatusCode, header},
    web::{Bytes, BytesMut},
};
use domain::{
    shape::{self, BadShape},
    text::Text,
};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;

use super::nul;
use crate::error::ApiError;

/// The largest body that is read.
pub const BODY_LIMIT: usize = 64 * 1024;

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
        let mut payload = payload.take();
        Box::pin(async move {
            if !is_json {
                return Err(not_json());
            }
            let mut body = BytesMut::new();
            while let Some(chunk) = payload.next().await {
                let chunk = chunk.map_err(|_| broken("the body ended too early"))?;
                if body.len() + chunk.len() > BODY_LIMIT {
                    return Err(too_large());
                }
                body.extend_from_slice(&chunk);
            }
            if is_missing && !body.is_empty() {
                return Err(not_json());
            }
            let bytes = if is_missing { Bytes::from_static(b"{}") } else { body.freeze() };
            let text = std::str::from_utf8(&bytes).map_err(|_| broken("the body is not UTF-8"))?;
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

fn broken(message: &str) -> ApiError {
    ApiError::bad_shape("", BadShape { field: None, message: message.to_owned() })
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

fn too_large() -> ApiError {
    ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "body_too_large",
        Text::new("The body is larger than 64 KiB.", "El cuerpo supera los 64 KiB."),
    )
}
