//! Compression of answers that are worth it: text of a kilobyte or more, as the client wishes.
//!
//! Streams of events are left alone, so that nothing is held back, unless they say that they are [`Finite`]. The tag of a compressed answer ends with the encoding
//! (`"17-br"`): a strong tag stands for the very bytes.

use actix_http::encoding::Encoder;
use actix_web::{
    Error,
    body::{BodySize, EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        StatusCode,
        header::{self, ContentEncoding, HeaderMap, HeaderValue},
    },
    middleware::Next,
};

use super::{conditions, vary, weighted};

/// Smaller bodies gain nothing: they fit into one packet as they are.
const SMALLEST: u64 = 1_024;

/// Marks a stream that ends by itself, such as an export: it may be held back a little to be compressed.
#[derive(Debug, Clone, Copy)]
pub struct Finite;

/// The encodings we speak, the best first.
const ENCODINGS: [ContentEncoding; 3] =
    [ContentEncoding::Brotli, ContentEncoding::Zstd, ContentEncoding::Gzip];

/// Compresses an answer if that is worth it and the client wants it.
pub async fn compress<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<Encoder<B>, B>>, Error> {
    let encoding = preferred(request.headers());
    let mut answer = next.call(request).await?;
    if answer.status() == StatusCode::NOT_MODIFIED {
        // The tag of the answer that the client has, which may be a compressed one.
        let known = answer.request().headers().get(header::IF_NONE_MATCH).cloned();
        if let (Some(encoding), Some(known)) = (encoding, known) {
            keep_tag(answer.headers_mut(), &known, encoding);
        }
        return Ok(answer.map_into_right_body());
    }
    let is_finite = answer.response().extensions().contains::<Finite>();
    if !is_finite && !is_worth_it(answer.headers(), answer.response().body().size()) {
        return Ok(answer.map_into_right_body());
    }
    let Some(encoding) = encoding else {
        vary(answer.headers_mut(), "Accept-Encoding");
        return Ok(answer.map_into_right_body());
    };
    if let Some(tag) = answer.headers().get(header::ETAG)
        && let Some(tag) = tag.to_str().ok().map(|tag| conditions::encoded(tag, encoding.as_str()))
        && let Ok(tag) = HeaderValue::try_from(tag)
    {
        answer.headers_mut().insert(header::ETAG, tag);
    }
    let mut answer =
        answer.map_body(|head, body| EitherBody::left(Encoder::response(encoding, head, body)));
    vary(answer.headers_mut(), "Accept-Encoding");
    Ok(answer)
}

/// The encoding of ours that a client likes best; among equals we choose.
fn preferred(headers: &HeaderMap) -> Option<ContentEncoding> {
    let accepted = weighted(headers, &header::ACCEPT_ENCODING);
    let said = |name: &str| accepted.iter().find(|(it, _)| it == name).map(|(_, weight)| *weight);
    let mut best = (None, 0.0);
    for encoding in ENCODINGS {
        let weight = said(encoding.as_str()).or_else(|| said("*")).unwrap_or(0.0);
        if weight > best.1 {
            best = (Some(encoding), weight);
        }
    }
    best.0
}

fn is_worth_it(headers: &HeaderMap, size: BodySize) -> bool {
    let is_large = match size {
        BodySize::None => false,
        BodySize::Sized(bytes) => bytes >= SMALLEST,
        BodySize::Stream => true,
    };
    is_large
        && !headers.contains_key(header::CONTENT_ENCODING)
        && headers
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .is_some_and(|kind| is_text(kind.split(';').next().unwrap_or_default().trim()))
}

fn is_text(kind: &str) -> bool {
    match kind {
        // Nothing of these may be held back.
        "text/event-stream" | "application/x-ndjson" | "application/jsonl" => false,
        "application/json" | "application/javascript" | "image/svg+xml" => true,
        kind => kind.starts_with("text/") || kind.ends_with("+json"),
    }
}

fn keep_tag(headers: &mut HeaderMap, known: &HeaderValue, encoding: ContentEncoding) {
    let Some(tag) = headers.get(header::ETAG).and_then(|tag| tag.to_str().ok()) else { return };
    let tag = conditions::encoded(tag, encoding.as_str());
    let has_it = known.to_str().is_ok_and(|known| {
        known.split(',').any(|known| known.trim().trim_start_matches("W/") == tag)
    });
    if let Some(tag) = HeaderValue::try_from(tag).ok().filter(|_| has_it) {
        headers.insert(header::ETAG, tag);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_chooses_and_we_choose_among_equals() {
        use ContentEncoding::{Brotli, Gzip, Zstd};
        for (accepted, encoding) in [
            ("", None),
            ("identity", None),
            ("deflate", None),
            ("gzip", Some(Gzip)),
            ("GZIP", Some(Gzip)),
            ("gzip, deflate, br, zstd", Some(Brotli)),
            ("gzip, zstd", Some(Zstd)),
            ("gzip;q=1.0, br;q=0.5", Some(Gzip)),
            ("br;q=0, *", Some(Zstd)),
            ("*;q=0", None),
            ("gzip;q=0, br;q=oops", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
            assert_eq!(preferred(&headers), encoding, "{accepted}");
        }
    }

    #[test]
    fn only_long_text_is_worth_it_and_streams_of_events_are_left_alone() {
        let worth = |kind: &'static str, size: BodySize| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
            is_worth_it(&headers, size)
        };
        assert!(worth("application/json", BodySize::Sized(SMALLEST)));
        assert!(worth("application/problem+json", BodySize::Sized(SMALLEST)));
        assert!(worth("text/html; charset=utf-8", BodySize::Stream));
        assert!(!worth("application/json", BodySize::Sized(SMALLEST - 1)));
        assert!(!worth("image/png", BodySize::Sized(1 << 20)));
        for kind in
            ["text/event-stream", "text/event-stream; charset=utf-8", "application/x-ndjson"]
        {
            assert!(!worth(kind, BodySize::Stream), "{kind}");
        }
    }
}
