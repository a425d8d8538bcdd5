//! Content negotiation by `Accept`.

use std::{
    cmp::Reverse,
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    dev::Payload,
    http::{
        StatusCode,
        header::{Accept, Header, Quality},
    },
};
use domain::text::Text;

use crate::error::{ApiError, ApiResult};

/// One JSON document.
pub const JSON: &str = "application/json";
/// One JSON document per line.
pub const NDJSON: &str = "application/x-ndjson";
/// Server-sent events.
pub const SSE: &str = "text/event-stream";
/// Comma-separated values.
pub const CSV: &str = "text/csv";

/// The media types that the client accepts. Without a valid `Accept` header, any will do.
#[derive(Debug, Clone)]
pub struct Accepted(Accept);

impl Accepted {
    /// What this request accepts. Invalid media types and weights are ignored.
    #[must_use]
    pub fn of(request: &impl HttpMessage) -> Self {
        Self(Accept::parse(request).unwrap_or_else(|_| Accept(Vec::new())))
    }

    /// The media type that the client prefers among these. Without a preference it is the first.
    pub fn best(&self, offers: &[&'static str]) -> ApiResult<&'static str> {
        self.preferred(offers).ok_or_else(|| {
            let text = Text::new(
                "None of the types in `Accept` is available; omit the header to get the default.",
                "Ninguno de los tipos de `Accept` está disponible; omite la cabecera para recibir el predeterminado.",
            );
            ApiError::new(StatusCode::NOT_ACCEPTABLE, "not_acceptable", text).field("Accept")
        })
    }

    /// The same, or `None` if the client accepts none of them. Ties go to the type that is named most precisely, then to the
    /// one that is named first.
    #[must_use]
    pub fn preferred(&self, offers: &[&'static str]) -> Option<&'static str> {
        if self.0.is_empty() {
            return offers.first().copied();
        }
        let mut best = None;
        for offer in offers {
            let Some(rank) = self.rank(offer).filter(|rank| rank.0 > Quality::ZERO) else {
                continue;
            };
            if best.is_none_or(|(_, highest)| rank > highest) {
                best = Some((*offer, rank));
            }
        }
        best.map(|(offer, _)| offer)
    }

    /// Weight, precision and position. The weight of the most precise range applies: `text/csv` before `text/*` before `*/*`.
    fn rank(&self, offer: &str) -> Option<(Quality, u8, Reverse<usize>)> {
        let family = offer.split_once('/').map_or(offer, |(family, _)| family);
        let find = |precision: u8, matches: &dyn Fn(&str) -> bool| {
            let position = self.0.iter().position(|range| matches(range.item.essence_str()))?;
            Some((self.0[position].quality, precision, Reverse(position)))
        };
        find(2, &|range| range == offer)
            .or_else(|| find(1, &|range| range.strip_suffix("/*") == Some(family)))
            .or_else(|| find(0, &|range| range == "*/*"))
    }
}

impl FromRequest for Accepted {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request)))
    }
}

/// JSON, or CSV for spreadsheets. JSON is also sent to clients that accept neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `application/json`
    Json,
    /// `text/csv`
    Csv,
}

impl Format {
    /// The format as entity tags name it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
        }
    }
}

impl FromRequest for Format {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let is_csv = Accepted::of(request).preferred(&[JSON, CSV]) == Some(CSV);
        ready(Ok(if is_csv { Self::Csv } else { Self::Json }))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn accepted(accept: &str) -> Accepted {
        Accepted::of(&TestRequest::default().insert_header(("accept", accept)).to_http_request())
    }

    fn best(accept: &str, offers: &[&'static str]) -> Option<&'static str> {
        accepted(accept).best(offers).ok()
    }

    #[test]
    fn the_client_gets_the_type_that_it_prefers() {
        for (accept, media_type) in [
            ("", Some(JSON)),
            ("*/*", Some(JSON)),
            ("application/x-ndjson", Some(NDJSON)),
            ("Application/X-NDJSON", Some(NDJSON)),
            ("application/json;q=0.5, application/x-ndjson", Some(NDJSON)),
            ("application/*;q=0.5, application/json;q=0.1", Some(NDJSON)),
            ("text/html, */*;q=0.1", Some(JSON)),
            ("text/csv", None),
            ("application/json;q=0", None),
        ] {
            assert_eq!(best(accept, &[JSON, NDJSON]), media_type, "{accept}");
        }
    }

    #[test]
    fn csv_and_streams_are_sent_on_request_only() {
        for (accept, media_type) in [
            ("*/*", JSON),
            ("text/csv", CSV),
            ("text/csv, */*", CSV),
            ("text/csv;q=0.5, application/json", JSON),
            ("application/json;q=0.5, text/csv", CSV),
            ("application/json, text/event-stream", JSON),
            ("text/event-stream, application/json", SSE),
            ("text/event-stream, */*", SSE),
            ("text/event-stream;charset=utf-8;q=0.9, application/json;Q=0.1", SSE),
        ] {
            assert_eq!(best(accept, &[JSON, CSV, SSE]), Some(media_type), "{accept}");
        }
        assert_eq!(accepted("text/html").preferred(&[JSON, CSV]), None);
    }

    #[test]
    fn ranges_with_an_invalid_weight_are_ignored() {
        for (accept, media_type) in [
            ("application/json;q=oops, text/csv ; q=0.25,,", CSV),
            ("application/json;q=nan, text/csv;q=0.1", CSV),
            ("application/json;q=7, text/csv;q=0.1", CSV),
            ("text/csv;x=1, application/json;q=0.9", CSV),
            ("nonsense", JSON),
        ] {
            assert_eq!(best(accept, &[JSON, CSV]), Some(media_type), "{accept}");
        }
    }
}
