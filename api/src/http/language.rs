//! The language of the response, by `Accept-Language`.

use std::{
    convert::Infallible,
    future::{Ready, ready},
};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::header::{
        self, HeaderMap, LanguageTag, Preference, Quality, QualityItem, from_comma_delimited,
    },
};
use domain::text::Lang;

/// The language that the client prefers among those of the server.
#[derive(Debug, Clone, Copy)]
pub struct Language(pub Lang);

impl FromRequest for Language {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(preferred(request.headers()))))
    }
}

/// The language that these headers prefer. The default is English.
pub fn preferred(headers: &HeaderMap) -> Lang {
    // As `AcceptLanguage` parses it, which needs a whole request.
    let lines = headers.get_all(header::ACCEPT_LANGUAGE);
    let accepted: Vec<QualityItem<Preference<LanguageTag>>> =
        from_comma_delimited(lines).unwrap_or_else(|_| Vec::new());
    let mut best = (Lang::En, Quality::ZERO);
    for QualityItem { item, quality } in accepted {
        let lang = match item.item().map(LanguageTag::primary_language) {
            Some("es") => Lang::Es,
            Some("en") | None => Lang::En,
            Some(_) => continue,
        };
        if quality > best.1 {
            best = (lang, quality);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn best(accepted: &'static str) -> Lang {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(accepted));
        preferred(&headers)
    }

    #[test]
    fn the_supported_language_with_the_highest_weight_wins() {
        assert_eq!(best(""), Lang::En);
        assert_eq!(best("*"), Lang::En);
        assert_eq!(best("es"), Lang::Es);
        assert_eq!(best("ES-cl"), Lang::Es);
        assert_eq!(best("es-CL,es;q=0.9,en;q=0.8"), Lang::Es);
        assert_eq!(best("en-GB, es;q=0.9"), Lang::En);
        assert_eq!(best("fr, de;q=0.9, es;q=0.2"), Lang::Es);
        assert_eq!(best("es;q=0"), Lang::En);
        assert_eq!(best("fr;q=oops,es;q=oops"), Lang::En);
    }
}
