//! Answers made of statistics, kept for whoever asks the same again: they change only when more matches are counted.

use actix_web::{HttpResponse, http::StatusCode, web::Bytes};
use domain::text::Lang;

use super::Tag;
use crate::{
    clock,
    http::{IfNoneMatch, as_picture},
    kept::Kept,
};

/// Answers by address and tag.
#[derive(Debug, Default)]
pub struct Shelf(Kept<String, (Tag, Body)>);

/// What is answered.
#[derive(Debug, Clone)]
pub struct Body {
    kind: Kind,
    bytes: Bytes,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Json,
    Csv,
    Svg(Lang),
}

impl Shelf {
    /// The answer that is kept under this key, or 304 for a client that has it already.
    #[must_use]
    pub fn answer(&self, key: &str, known: &IfNoneMatch) -> Option<HttpResponse> {
        let (tag, body) = self.0.get(key, clock::now())?;
        Some(tag.not_modified(known).unwrap_or_else(|| tag.write(body)))
    }

    pub(super) fn keep(&self, key: String, tag: Tag, body: Body) {
        let bytes = key.len() + body.bytes.len();
        self.0.put(key, (tag, body), bytes, clock::now());
    }
}

impl Body {
    pub(super) fn json(bytes: impl Into<Bytes>) -> Self {
        Self { kind: Kind::Json, bytes: bytes.into() }
    }

    pub(super) fn csv(table: String) -> Self {
        Self { kind: Kind::Csv, bytes: table.into() }
    }

    pub(super) fn svg(picture: String, lang: Lang) -> Self {
        Self { kind: Kind::Svg(lang), bytes: picture.into() }
    }
}

impl Tag {
    /// The answer with this tag.
    pub(super) fn write(&self, body: Body) -> HttpResponse {
        let mut response = self.dress(StatusCode::OK);
        match body.kind {
            Kind::Json => response.content_type("application/json").body(body.bytes),
            Kind::Csv => response.content_type("text/csv; charset=utf-8").body(body.bytes),
            Kind::Svg(lang) => as_picture(response, body.bytes, lang),
        }
    }
}
