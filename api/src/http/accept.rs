//! In which form the client wants an answer, by `Accept`: JSON, or CSV for spreadsheets.

use std::{
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header};

/// The form of an answer.
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
        let wanted = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
        ready(Ok(best(wanted.unwrap_or_default())))
    }
}

/// CSV for those who ask for it and do not like JSON better.
fn best(wanted: &str) -> Format {
    let weight = |kind: &str| {
        let ranges = wanted.split(',').filter_map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let named = parts.next()?.eq_ignore_ascii_case(kind);
            let weight = parts.find_map(|part| part.strip_prefix("q="));
            named.then(|| weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0_f32)))
        });
        ranges.fold(0.0, f32::max)
    };
    let csv = weight("text/csv");
    if csv > 0.0 && csv >= weight("application/json") { Format::Csv } else { Format::Json }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_has_to_be_asked_for() {
        assert_eq!(best(""), Format::Json);
        assert_eq!(best("*/*"), Format::Json);
        assert_eq!(best("text/csv"), Format::Csv);
        assert_eq!(best("text/csv;q=0.5, application/json"), Format::Json);
        assert_eq!(best("application/json;q=0.5, text/csv"), Format::Csv);
        assert_eq!(best("text/csv;q=0"), Format::Json);
    }
}
