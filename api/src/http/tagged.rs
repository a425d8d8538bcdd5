//! JSON with an entity tag, so that clients that have it already get 304.

use actix_web::{
    HttpResponse,
    http::header::{self, HeaderMap, HeaderValue},
    web::Bytes,
};
use serde::Serialize;

use super::IfNoneMatch;
use service::secret;

/// JSON and its entity tag.
#[derive(Debug, Clone)]
pub struct Tagged {
    json: Bytes,
    tag: HeaderValue,
}

impl Tagged {
    /// Serialised JSON, tagged with a digest of its content.
    #[must_use]
    pub fn new(json: impl Into<Bytes>) -> Self {
        let json = json.into();
        let tag = format!("\"{}\"", hex::encode(&secret::hash(&json)[..8]));
        Self { json, tag: as_header(&tag) }
    }

    /// A value as JSON, tagged with a digest of its content.
    #[must_use]
    pub fn of(value: &impl Serialize) -> Self {
        Self::new(json(value))
    }

    /// A value as JSON, with a tag that changes whenever the value does.
    #[must_use]
    pub fn with_tag(value: &impl Serialize, tag: &str) -> Self {
        Self { json: json(value).into(), tag: as_header(tag) }
    }

    /// The size of the JSON in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.json.len()
    }

    /// The response: the JSON, or 304 if the client has it already.
    #[must_use]
    pub fn respond(
        &self,
        known: &IfNoneMatch,
        caching: &'static str,
        varies_by: Option<&'static str>,
    ) -> HttpResponse {
        let is_known = self.tag.to_str().is_ok_and(|tag| known.has(tag));
        let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        response.insert_header((header::ETAG, self.tag.clone()));
        response.insert_header((header::CACHE_CONTROL, caching));
        if let Some(names) = varies_by {
            response.insert_header((header::VARY, names));
        }
        if is_known {
            return response.finish();
        }
        response.content_type("application/json").body(self.json.clone())
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("documents are plain data")
}

fn as_header(tag: &str) -> HeaderValue {
    HeaderValue::try_from(tag).expect("tags consist of digits, letters, hyphens and quotes")
}

/// Adds a name to `Vary`. All names share one line, since some middleware reads only the first.
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
