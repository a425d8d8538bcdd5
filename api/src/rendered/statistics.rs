//! Responses made of statistics: they change only when more matches are counted, so the same bytes serve everybody who asks
//! the same.

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{StatusCode, header},
    web::Bytes,
};
use domain::{text::Lang, time::Timestamp};
use pictures::Style;
use serde::Serialize;
use service::{cache::TtlCache, statistics::Statistics};

use crate::http::{Format, IfNoneMatch, PICTURE_RELEASE, as_picture};

/// For how many seconds clients may use a response again.
const MAX_AGE: u32 = 5;
/// Names are shown nearly everywhere, and another replica may have changed one: older responses are rendered again.
const LIFETIME: Duration = Duration::from_secs(10);
const BYTES: u64 = 16 * 1024 * 1024;
const USUAL_BYTES: u64 = 4_096;

/// Responses by URL and tag.
#[derive(Debug)]
pub struct StatsCache(TtlCache<String, (StatsTag, StatsBody)>);

impl Default for StatsCache {
    fn default() -> Self {
        Self(TtlCache::with_bytes(BYTES, USUAL_BYTES, LIFETIME))
    }
}

/// The body of a response.
#[derive(Debug, Clone)]
pub struct StatsBody {
    media: Media,
    bytes: Bytes,
}

#[derive(Debug, Clone, Copy)]
enum Media {
    Json,
    Csv,
    Svg(Lang),
}

/// Tells a response made of statistics from others with the same URL.
#[derive(Debug, Clone)]
pub struct StatsTag {
    text: String,
    private: bool,
    /// What the response depends on besides the URL.
    varies_by: &'static str,
}

impl StatsTag {
    /// By how far the feed has been counted; `more` is whatever else the response depends on.
    #[must_use]
    pub fn new(statistics: &Statistics, format: Format, lang: Lang, more: &str) -> Self {
        let revision = statistics.revision();
        let text = format!("\"{revision}-{}-{}{more}\"", format.id(), lang.tag());
        Self { text, private: false, varies_by: "Accept, Accept-Language" }
    }

    /// The same for a picture.
    #[must_use]
    pub fn picture(statistics: &Statistics, style: Style, more: &str) -> Self {
        let revision = statistics.revision();
        let (theme, lang) = (style.theme.id(), style.lang.tag());
        let text = format!("\"{revision}-{theme}-{lang}-{PICTURE_RELEASE}{more}\"");
        Self { text, private: false, varies_by: "Accept-Language" }
    }

    /// The same for a response that depends on the caller.
    #[must_use]
    pub fn private(self, private: bool) -> Self {
        Self { private, ..self }
    }

    /// The response for a client that has this one already.
    #[must_use]
    pub fn not_modified(&self, known: &IfNoneMatch) -> Option<HttpResponse> {
        known.has(&self.text).then(|| self.head(StatusCode::NOT_MODIFIED).finish())
    }

    /// The entry of the cache for the response to a request.
    #[must_use]
    pub fn entry<'a>(
        &self,
        cache: &'a StatsCache,
        request: &HttpRequest,
        now: Timestamp,
    ) -> StatsEntry<'a> {
        StatsEntry { cache, key: format!("{} {}", request.uri(), self.text), now }
    }

    fn head(&self, status: StatusCode) -> HttpResponseBuilder {
        let mut response = HttpResponse::build(status);
        let scope = if self.private { "private" } else { "public" };
        response.insert_header((header::CACHE_CONTROL, format!("{scope}, max-age={MAX_AGE}")));
        response.insert_header((header::ETAG, format!("W/{}", self.text)));
        let by = if self.private { ", Authorization" } else { "" };
        response.insert_header((header::VARY, format!("{}{by}", self.varies_by)));
        response
    }

    fn response(&self, body: StatsBody) -> HttpResponse {
        let mut response = self.head(StatusCode::OK);
        match body.media {
            Media::Json => response.content_type("application/json").body(body.bytes),
            Media::Csv => response.content_type("text/csv; charset=utf-8").body(body.bytes),
            Media::Svg(lang) => as_picture(response, body.bytes, lang),
        }
    }
}

/// An entry of the cache, empty or not.
#[derive(Debug)]
pub struct StatsEntry<'a> {
    cache: &'a StatsCache,
    key: String,
    now: Timestamp,
}

impl StatsEntry<'_> {
    /// The response that is in the cache, or 304 for a client that has it already.
    #[must_use]
    pub fn cached(&self, known: &IfNoneMatch) -> Option<HttpResponse> {
        let (tag, body) = self.cache.0.get(self.key.as_str(), self.now)?;
        Some(tag.not_modified(known).unwrap_or_else(|| tag.response(body)))
    }

    /// A response in JSON.
    #[must_use]
    pub fn json(self, tag: StatsTag, document: &impl Serialize) -> HttpResponse {
        let json = serde_json::to_vec(document).expect("documents are plain data");
        self.fill(tag, StatsBody { media: Media::Json, bytes: json.into() })
    }

    /// A response in CSV.
    #[must_use]
    pub fn csv(self, tag: StatsTag, csv: String) -> HttpResponse {
        self.fill(tag, StatsBody { media: Media::Csv, bytes: csv.into() })
    }

    /// A picture.
    #[must_use]
    pub fn svg(self, tag: StatsTag, picture: String, lang: Lang) -> HttpResponse {
        self.fill(tag, StatsBody { media: Media::Svg(lang), bytes: picture.into() })
    }

    fn fill(self, tag: StatsTag, body: StatsBody) -> HttpResponse {
        let response = tag.response(body.clone());
        // A response that depends on the caller is not kept for others.
        if !tag.private {
            let bytes = self.key.len() + body.bytes.len();
            self.cache.0.put_bytes(self.key, (tag, body), bytes, self.now);
        }
        response
    }
}
