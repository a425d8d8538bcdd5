//! Compression of text responses of a kilobyte or more, by `Accept-Encoding`.
//!
//! Streams of events are not compressed, so that no message is delayed, unless they are marked as [`Finite`]. The entity tag of
//! a compressed response ends with the encoding (`"17-br"`), since a strong tag identifies the exact bytes.

use actix_http::encoding::Encoder;
use actix_web::{
    Error, HttpMessage,
    body::{BodySize, EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        StatusCode,
        header::{
            self, AcceptEncoding, ContentEncoding, Encoding, Header, HeaderMap, HeaderValue,
            Preference, Quality,
        },
    },
    middleware::Next,
};

use super::{conditions, vary};

/// Smaller bodies fit into one packet anyway.
const SMALLEST: u64 = 1_024;

/// Marks a stream that ends by itself, such as an export. A short delay does no harm, so it may be compressed.
#[derive(Debug, Clone, Copy)]
pub struct Finite;

/// The supported encodings, best first.
const ENCODINGS: [ContentEncoding; 3] =
    [ContentEncoding::Brotli, ContentEncoding::Zstd, ContentEncoding::Gzip];

/// Compresses a response if that is worthwhile and the client accepts it.
pub async fn compress<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<Encoder<B>, B>>, Error> {
    let encoding = preferred(&request);
    let mut response = next.call(request).await?;
    if response.status() == StatusCode::NOT_MODIFIED {
        // The client may hold a compressed response: it gets the tag of that one.
        let known = response.request().headers().get(header::IF_NONE_MATCH).cloned();
        if let (Some(encoding), Some(known)) = (encoding, known) {
            keep_tag(response.headers_mut(), &known, encoding);
        }
        return Ok(response.map_into_right_body());
    }
    let is_finite = response.response().extensions().contains::<Finite>();
    if !is_finite && !is_worthwhile(response.headers(), response.response().body().size()) {
        return Ok(response.map_into_right_body());
    }
    let Some(encoding) = encoding else {
        vary(response.headers_mut(), "Accept-Encoding");
        return Ok(response.map_into_right_body());
    };
    if let Some(tag) = response.headers().get(header::ETAG)
        && let Some(tag) = tag.to_str().ok().map(|tag| conditions::encoded(tag, encoding.as_str()))
        && let Ok(tag) = HeaderValue::try_from(tag)
    {
        response.headers_mut().insert(header::ETAG, tag);
    }
    let mut response =
        response.map_body(|head, body| EitherBody::left(Encoder::response(encoding, head, body)));
    vary(response.headers_mut(), "Accept-Encoding");
    Ok(response)
}

/// The supported encoding that the client prefers; the server breaks ties. In contrast to [`AcceptEncoding::negotiate`], an
/// absent header means no compression, and ties do not depend on the client's order.
fn preferred(request: &impl HttpMessage) -> Option<ContentEncoding> {
    let accepted = AcceptEncoding::parse(request).unwrap_or_else(|_| AcceptEncoding(Vec::new()));
    let weight = |wanted: &Preference<Encoding>| {
        accepted.iter().find(|accepted| accepted.item == *wanted).map(|accepted| accepted.quality)
    };
    let mut best = (None, Quality::ZERO);
    for encoding in ENCODINGS {
        let named = weight(&Preference::Specific(Encoding::Known(encoding)));
        let quality = named.or_else(|| weight(&Preference::Any)).unwrap_or(Quality::ZERO);
        if quality > best.1 {
            best = (Some(encoding), quality);
        }
    }
    best.0
}

fn is_worthwhile(headers: &HeaderMap, size: BodySize) -> bool {
    let is_large = match size {
        BodySize::None => false,
        BodySize::Sized(bytes) => bytes >= SMALLEST,
        BodySize::Stream => true,
    };
    is_large
        && !headers.contains_key(header::CONTENT_ENCODING)
        && headers
            .get(header::CONTENT_TYPE)
            .and_then(|media_type| media_type.to_str().ok())
            .is_some_and(is_text)
}

fn is_text(media_type: &str) -> bool {
    let essence = media_type.split_once(';').map_or(media_type, |(essence, _)| essence).trim();
    match essence {
        // Messages of a stream must not be delayed.
        "text/event-stream" | "application/x-ndjson" | "application/jsonl" => false,
        "application/json" | "application/javascript" | "image/svg+xml" => true,
        other => other.starts_with("text/") || other.ends_with("+json"),
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
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn the_client_chooses_and_the_server_breaks_ties() {
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
            let request = TestRequest::default().insert_header(("accept-encoding", accepted));
            assert_eq!(preferred(&request.to_http_request()), encoding, "{accepted}");
        }
    }

    #[test]
    fn only_long_text_is_compressed_and_streams_of_events_are_not() {
        let is_compressed = |media_type: &'static str, size: BodySize| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
            is_worthwhile(&headers, size)
        };
        assert!(is_compressed("application/json", BodySize::Sized(SMALLEST)));
        assert!(is_compressed("application/problem+json", BodySize::Sized(SMALLEST)));
        assert!(is_compressed("text/html; charset=utf-8", BodySize::Stream));
        assert!(!is_compressed("application/json", BodySize::Sized(SMALLEST - 1)));
        assert!(!is_compressed("image/png", BodySize::Sized(1 << 20)));
        for media_type in
            ["text/event-stream", "text/event-stream; charset=utf-8", "application/x-ndjson"]
        {
            assert!(!is_compressed(media_type, BodySize::Stream), "{media_type}");
        }
    }
}
