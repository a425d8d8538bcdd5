//! JSON with a tag made of its content, so that who has it already is told so.

use actix_web::{
    HttpResponse,
    http::header::{self, HeaderMap, HeaderValue},
    web::Bytes,
};
use serde::Serialize;

use super::IfNoneMatch;
use service::secret;

use crate::error::{ApiError, ApiResult};

/// JSON and its tag.
#[derive(Debug, Clone)]
pub struct Tagged {
    json: Bytes,
    tag: HeaderValue,
}

impl Tagged {
    /// JSON that is written already.
    #[must_use]
    pub fn new(json: impl Into<Bytes>) -> Self {
        let json = json.into();
        let tag = format!("\"{}\"", hex::encode(&secret::hash(&json)[..8]));
        Self { json, tag: as_header(&tag) }
    }

    /// A value as JSON.
    pub fn of(value: &impl Serialize) -> ApiResult<Self> {
        Ok(Self::new(write(value)?))
    }

    /// A value as JSON, with a tag that says all of it.
    pub fn with_tag(value: &impl Serialize, tag: &str) -> ApiResult<Self> {
        Ok(Self { json: write(value)?.into(), tag: as_header(tag) })
    }

    /// How many bytes the JSON has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.json.len()
    }

    /// The response: the JSON, or 304 where the client has it already.
    #[must_use]
    pub fn respond(
        &self,
        known: &IfNoneMatch,
        caching: &'static str,
        varies_by: Option<&'static str>,
    ) -> HttpResponse {
        let has_it = self.tag.to_str().is_ok_and(|tag| known.has(tag));
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

fn write(value: &impl Serialize) -> ApiResult<Vec<u8>> {
    serde_json::to_vec(value).map_err(|_| ApiError::internal())
}

/// Tags are made of digits, letters and quotes.
fn as_header(tag: &str) -> HeaderValue {
    HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\""))
}

/// Adds a name to `Vary`, on one line: some who add to it later look at the first line only.
pub fn vary(headers: &mut HeaderMap, name: &'static str) {
    let lines = headers.get_all(header::VARY).filter_map(|value| value.to_str().ok());
    let mut names: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
    if !names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        names.push(name);
    }
    if let Ok(value) = HeaderValue::try_from(names.join(", ")) {
        headers.insert(header::VARY, value);
    }
}
