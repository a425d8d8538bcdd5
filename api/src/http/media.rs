//! The form of the answer, by `Accept`.

use std::{
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::{StatusCode, header},
};
use domain::text::Text;

use crate::error::{ApiError, ApiResult};

/// One JSON document.
pub const JSON: &str = "application/json";
/// One JSON document a line.
pub const NDJSON: &str = "application/x-ndjson";
/// A table.
pub const CSV: &str = "text/csv";

/// What the client accepts, with weights; everything if it says nothing.
#[derive(Debug, Clone)]
pub struct Accepted(Vec<(String, f32)>);

impl Accepted {
    /// Which of these forms the client likes best; the first one where it does not care.
    pub fn best(&self, offers: &[&'static str]) -> ApiResult<&'static str> {
        let mut best = None;
        for offer in offers {
            let weight = self.weight(offer);
            if weight > best.map_or(0.0, |(_, weight)| weight) {
                best = Some((*offer, weight));
            }
        }
        best.map(|(offer, _)| offer).ok_or_else(|| {
            let text = Text::new(
                "There is no answer in a form that `Accept` names; leave it out to get the usual one.",
                "No hay respuesta en una forma que nombre `Accept`; omítela para recibir la habitual.",
            );
            ApiError::new(StatusCode::NOT_ACCEPTABLE, "not_acceptable", text).field("Accept")
        })
    }

    /// What is said about the form itself counts more than what is said about forms like it.
    fn weight(&self, offer: &str) -> f32 {
        if self.0.is_empty() {
            return 1.0;
        }
        let family = format!("{}/*", offer.split('/').next().unwrap_or_default());
        let said = |range: &str| self.0.iter().find(|(name, _)| name == range).map(|(_, it)| *it);
        said(offer).or_else(|| said(&family)).or_else(|| said("*/*")).unwrap_or(0.0)
    }

    fn read(text: &str) -> Self {
        let ranges = text.split(',').filter_map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next().filter(|name| !name.is_empty())?.to_ascii_lowercase();
            let weight = parts.find_map(|part| part.strip_prefix("q="));
            Some((name, weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0))))
        });
        Self(ranges.collect())
    }
}

impl FromRequest for Accepted {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let said: Vec<&str> = request
            .headers()
            .get_all(header::ACCEPT)
            .filter_map(|value| value.to_str().ok())
            .collect();
        ready(Ok(Self::read(&said.join(","))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_gets_the_form_that_it_likes_best() {
        let best = |accept: &str| Accepted::read(accept).best(&[JSON, NDJSON]).ok();
        assert_eq!(best(""), Some(JSON));
        assert_eq!(best("*/*"), Some(JSON));
        assert_eq!(best("application/x-ndjson"), Some(NDJSON));
        assert_eq!(best("application/json;q=0.5, application/x-ndjson"), Some(NDJSON));
        assert_eq!(best("application/*;q=0.5, application/json;q=0.1"), Some(NDJSON));
        assert_eq!(best("text/html, */*;q=0.1"), Some(JSON));
        assert_eq!(best("text/csv"), None);
        assert_eq!(best("application/json;q=0"), None);
    }
}
