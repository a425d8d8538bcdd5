//! Answers made of statistics, kept for whoever asks the same again: they change only when more matches are counted.

use actix_web::{HttpResponse, http::StatusCode, web::Bytes};
use domain::{text::Lang, time::Timestamp};
use quick_cache::{Weighter, sync::Cache};

use super::Tag;
use crate::{
    clock,
    http::{IfNoneMatch, as_picture},
};

/// Names are shown too, and another replica may have changed one: after this time we make an answer anew.
const FRESH_MILLIS: i64 = 10_000;
/// So many bytes are kept.
const BUDGET: u64 = 16 * 1024 * 1024;
const USUAL: u64 = 8_192;
/// What an answer takes besides its bytes and its key, about.
const FRAME: u64 = 256;

/// Answers by address and tag.
#[derive(Debug)]
pub struct Shelf {
    known: Cache<String, Kept, Weight>,
}

#[derive(Debug, Clone)]
struct Kept {
    tag: Tag,
    body: Body,
    at: Timestamp,
}

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

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<String, Kept> for Weight {
    fn weight(&self, key: &String, kept: &Kept) -> u64 {
        (key.len() + kept.body.bytes.len()) as u64 + FRAME
    }
}

impl Default for Shelf {
    fn default() -> Self {
        let items = usize::try_from(BUDGET / USUAL).unwrap_or(usize::MAX);
        Self { known: Cache::with_weighter(items, BUDGET, Weight) }
    }
}

impl Shelf {
    /// The answer that is kept under this key, or 304 for a client that has it already.
    #[must_use]
    pub fn answer(&self, key: &str, known: &IfNoneMatch) -> Option<HttpResponse> {
        let kept = self.known.get(key)?;
        let is_fresh = clock::now().millis_since(kept.at) < FRESH_MILLIS;
        is_fresh.then(|| kept.tag.not_modified(known).unwrap_or_else(|| kept.tag.write(kept.body)))
    }

    pub(super) fn keep(&self, key: String, tag: Tag, body: Body) {
        self.known.insert(key, Kept { tag, body, at: clock::now() });
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
