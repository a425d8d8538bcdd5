//! `Prefer: return=minimal` (RFC 7240): the client keeps track of the game by itself, and needs no picture of it with every answer.

use std::{
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{
    FromRequest, HttpRequest, HttpResponseBuilder, dev::Payload, http::header::HeaderMap,
};

/// How much of an answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefer {
    /// All of it.
    Everything,
    /// What cannot be left out.
    Minimal,
}

impl Prefer {
    /// Says in the answer that the wish was heard.
    pub fn say(self, response: &mut HttpResponseBuilder) {
        match self {
            Self::Everything => {}
            Self::Minimal => {
                response.insert_header(("Preference-Applied", "return=minimal"));
            }
        }
    }

    fn of(headers: &HeaderMap) -> Self {
        let said = headers.get_all("prefer").filter_map(|value| value.to_str().ok());
        let mut wishes = said.flat_map(|line| line.split(',')).filter_map(|wish| {
            // What follows a semicolon are parameters, of which this wish has none.
            let (name, value) = wish.split(';').next()?.split_once('=')?;
            name.trim().eq_ignore_ascii_case("return").then(|| value.trim().trim_matches('"'))
        });
        // Of a wish that is there twice, the first counts.
        if wishes.next() == Some("minimal") { Self::Minimal } else { Self::Everything }
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
    fn the_first_wish_about_the_return_counts() {
        for (lines, wanted) in [
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
            assert_eq!(Prefer::of(&headers), wanted, "{lines:?}");
        }
    }
}
