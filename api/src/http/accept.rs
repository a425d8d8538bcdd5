//! What a client likes best, by `Accept` and its kin: the one place where weights (`;q=0.5`) are read.

use std::{
    cmp::Reverse,
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::{
        StatusCode,
        header::{self, HeaderMap, HeaderName},
    },
};
use domain::text::Text;

use crate::error::{ApiError, ApiResult};

/// One JSON document.
pub const JSON: &str = "application/json";
/// One JSON document a line.
pub const NDJSON: &str = "application/x-ndjson";
/// Events as browsers read them.
pub const SSE: &str = "text/event-stream";
/// A table.
pub const CSV: &str = "text/csv";

/// What a header asks for: names in lower case with their weights, from 0 (not at all) to 1, in the order of the header.
#[must_use]
pub fn weighted(headers: &HeaderMap, name: &HeaderName) -> Vec<(String, f32)> {
    let said = headers.get_all(name).filter_map(|value| value.to_str().ok());
    said.flat_map(read).collect()
}

fn read(text: &str) -> impl Iterator<Item = (String, f32)> {
    text.split(',').filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().filter(|name| !name.is_empty())?.to_ascii_lowercase();
        let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
        // What is no weight is none.
        let weight = weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
        Some((name, if (0.0..=1.0).contains(&weight) { weight } else { 0.0 }))
    })
}

/// The form of the answer that the client wants; any if it says nothing.
#[derive(Debug, Clone)]
pub struct Accepted(Vec<(String, f32)>);

impl Accepted {
    /// What these headers accept.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Self {
        Self(weighted(headers, &header::ACCEPT))
    }

    /// Which of these forms the client likes best; the first one where it does not care.
    pub fn best(&self, offers: &[&'static str]) -> ApiResult<&'static str> {
        self.preferred(offers).ok_or_else(|| {
            let text = Text::new(
                "There is no answer in a form that `Accept` names; leave it out to get the usual one.",
                "No hay respuesta en una forma que nombre `Accept`; omítela para recibir la habitual.",
            );
            ApiError::new(StatusCode::NOT_ACCEPTABLE, "not_acceptable", text).field("Accept")
        })
    }

    /// The same; nothing where the client likes none of them. Among equals counts what is named most exactly, then what is named
    /// first.
    #[must_use]
    pub fn preferred(&self, offers: &[&'static str]) -> Option<&'static str> {
        if self.0.is_empty() {
            return offers.first().copied();
        }
        let mut best = None;
        for offer in offers {
            let Some(liking) = self.liking(offer).filter(|liking| liking.0 > 0.0) else { continue };
            if best.is_none_or(|(_, most)| liking > most) {
                best = Some((*offer, liking));
            }
        }
        best.map(|(offer, _)| offer)
    }

    /// Weight, exactness and place: what is said about the form itself counts more than what is said about forms like it.
    fn liking(&self, offer: &str) -> Option<(f32, u8, Reverse<usize>)> {
        let family = format!("{}/*", offer.split('/').next().unwrap_or_default());
        let said = |range: &str, exactness: u8| {
            let place = self.0.iter().position(|(name, _)| name == range)?;
            Some((self.0[place].1, exactness, Reverse(place)))
        };
        said(offer, 2).or_else(|| said(&family, 1)).or_else(|| said("*/*", 0))
    }
}

impl FromRequest for Accepted {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request.headers())))
    }
}

/// JSON, or CSV for spreadsheets; JSON also for those who like neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `application/json`
    Json,
    /// `text/csv`
    Csv,
}

impl Format {
    /// The form as tags name it.
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
        let accepted = Accepted::of(request.headers());
        let is_csv = accepted.preferred(&[JSON, CSV]) == Some(CSV);
        ready(Ok(if is_csv { Self::Csv } else { Self::Json }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(accept: &str, offers: &[&'static str]) -> Option<&'static str> {
        Accepted(read(accept).collect()).best(offers).ok()
    }

    #[test]
    fn the_client_gets_the_form_that_it_likes_best() {
        for (accept, form) in [
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
            assert_eq!(best(accept, &[JSON, NDJSON]), form, "{accept}");
        }
    }

    #[test]
    fn a_table_or_a_stream_has_to_be_asked_for() {
        for (accept, form) in [
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
            assert_eq!(best(accept, &[JSON, CSV, SSE]), Some(form), "{accept}");
        }
        assert_eq!(Accepted(read("text/html").collect()).preferred(&[JSON, CSV]), None);
    }

    #[test]
    fn what_is_no_weight_counts_as_none() {
        let read: Vec<(String, f32)> =
            read("a;q=oops, B ; q=0.25,, c;q=nan, d;q=7, e;x=1").collect();
        let weights = [("a", 0.0), ("b", 0.25), ("c", 0.0), ("d", 0.0), ("e", 1.0)];
        assert_eq!(read, weights.map(|(name, weight)| (name.to_owned(), weight)));
    }
}
