//! `Prefer: return=minimal` (RFC 7240): the client tracks the game itself and needs no view with every response.

use std::{
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{
    FromRequest, HttpRequest, HttpResponseBuilder, dev::Payload, http::header::HeaderMap,
};

/// How much the response contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefer {
    /// Everything.
    Everything,
    /// Only what is necessary.
    Minimal,
}

impl Prefer {
    /// Confirms in the response that the preference was applied.
    pub fn confirm(self, response: &mut HttpResponseBuilder) {
        match self {
            Self::Everything => {}
            Self::Minimal => {
                response.insert_header(("Preference-Applied", "return=minimal"));
            }
        }
    }

    fn of(headers: &HeaderMap) -> Self {
        let lines = headers.get_all("prefer").filter_map(|value| value.to_str().ok());
        let preferences = lines.flat_map(|line| line.split(','));
        let mut values = preferences.filter_map(|preference| {
            // `return` has no parameters, so whatever follows a semicolon is ignored.
            let (name, value) = preference.split(';').next()?.split_once('=')?;
            name.trim().eq_ignore_ascii_case("return").then(|| value.trim().trim_matches('"'))
        });
        // If a preference is given twice, the first one applies.
        if values.next() == Some("minimal") { Self::Minimal } else { Self::Everything }
    }
}

impl FromRequest for Prefer {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request.headers())))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn the_first_return_preference_applies() {
        for (lines, expected) in [
            (&[][..], Prefer::Everything),
            (&["return=minimal"], Prefer::Minimal),
            (&["respond-async, Return=\"minimal\"; foo=1, wait=10"], Prefer::Minimal),
            (&["wait=10", "return = minimal"], Prefer::Minimal),
            (&["return=representation"], Prefer::Everything),
            (&["return=representation, return=minimal"], Prefer::Everything),
            (&["minimal", "x-return=minimal"], Prefer::Everything),
        ] {
            let mut headers = HeaderMap::new();
            for line in lines {
                let name = HeaderName::from_static("prefer");
                headers.append(name, HeaderValue::from_static(line));
            }
            assert_eq!(Prefer::of(&headers), expected, "{lines:?}");
        }
    }
}
