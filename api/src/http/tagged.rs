//! JSON with a tag made of its content, so that who has it already is told so.

use actix_web::{
    HttpResponse,
    http::header::{self, HeaderMap, HeaderValue},
    web::Bytes,
};
use serde::Serialize;

use super::IfNoneMatch;
use crate::{
    error::{ApiError, ApiResult},
    secret,
};

/// JSON and its tag.
#[derive(Debug, Clone)]
pub struct Tagged {
    json: Bytes,
    tag: String,
}

impl Tagged {
    /// JSON that is written already.
    #[must_use]
    pub fn new(json: impl Into<Bytes>) -> Self {
        let json = json.into();
        let tag = format!("\"{}\"", hex::encode(&secret::hash(&json)[..8]));
        Self { json, tag }
    }

    /// A value as JSON.
    pub fn of(value: &impl Serialize) -> ApiResult<Self> {
        serde_json::to_vec(value).map(Self::new).map_err(|_| ApiError::internal())
    }

    /// The response: the JSON, or 304 where the client has it already.
    #[must_use]
    pub fn respond(
        &self,
        known: &IfNoneMatch,
        caching: &'static str,
        varies_by: Option<&'static str>,
    ) -> HttpResponse {
        let has_it = known.has(&self.tag);
        let mut response = if has_it { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        response.insert_header((header::ETAG, self.tag.clone()));
        response.insert_header((header::CACHE_CONTROL, caching));
        if let Some(names) = varies_by {
            response.insert_header((header::VARY, names));
        }
        if has_it {
            return response.finish();
        }
        response.content_type("application/json").body(self.json.clone())
    }
}

/// Adds names to `Vary`, on one line: some who add to it later look at the first line only.
pub fn vary(headers: &mut HeaderMap, name: &str) {
    let mut names: Vec<String> = headers
        .get_all(header::VARY)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|value| value.trim().to_owned())
        .collect();
    names.push(name.to_owned());
    let mut unique: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        if !unique.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            unique.push(name);
        }
    }
    if let Ok(value) = HeaderValue::try_from(unique.join(", ")) {
        headers.insert(header::VARY, value);
    }
}
