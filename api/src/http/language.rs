//! The language of the answer, by `Accept-Language`.

use std::{
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::header::{self, HeaderMap},
};
use domain::text::Lang;

use super::weighted;

/// The language that the client prefers among ours.
#[derive(Debug, Clone, Copy)]
pub struct Language(pub Lang);

impl FromRequest for Language {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(preferred(request.headers()))))
    }
}

/// The language that these headers prefer; English if they say nothing that we speak.
pub fn preferred(headers: &HeaderMap) -> Lang {
    let mut best = (Lang::En, 0.0_f32);
    for (tag, weight) in weighted(headers, &header::ACCEPT_LANGUAGE) {
        let lang = match tag.split('-').next().unwrap_or_default() {
            "es" => Lang::Es,
            "en" | "*" => Lang::En,
            _ => continue,
        };
        if weight > best.1 {
            best = (lang, weight);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn best(wanted: &'static str) -> Lang {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(wanted));
        preferred(&headers)
    }

    #[test]
    fn the_heaviest_language_that_we_speak_wins() {
        assert_eq!(best(""), Lang::En);
        assert_eq!(best("es"), Lang::Es);
        assert_eq!(best("es-CL,es;q=0.9,en;q=0.8"), Lang::Es);
        assert_eq!(best("en-GB, es;q=0.9"), Lang::En);
        assert_eq!(best("fr, de;q=0.9, es;q=0.2"), Lang::Es);
        assert_eq!(best("es;q=0"), Lang::En);
        assert_eq!(best("fr;q=oops,es;q=oops"), Lang::En);
    }
}
