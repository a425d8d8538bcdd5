//! Bodies of forms, which token endpoints take. What is wrong with one is told in the way of the endpoint's own standard.

use std::{collections::HashMap, future::Future, pin::Pin};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header};
use url::form_urlencoded;

use super::receive::receive;
use crate::error::ApiError;

/// The fields of a form, each at most once.
#[derive(Debug)]
pub struct Form(pub Result<HashMap<String, String>, BadForm>);

/// What is wrong with a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadForm {
    /// It has another content type.
    ContentType,
    /// It is not UTF-8, or contains NUL.
    Text,
    /// It has a field more than once.
    Repeated,
}

impl FromRequest for Form {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, mut payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let body = receive(&request, &mut payload).await?;
            Ok(Self(if is_form(&request) { parse(&body) } else { Err(BadForm::ContentType) }))
        })
    }
}

fn is_form(request: &HttpRequest) -> bool {
    let media_type = request.headers().get(header::CONTENT_TYPE);
    let essence = media_type.and_then(|value| value.to_str().ok()?.split(';').next());
    essence.is_some_and(|it| it.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded"))
}

fn parse(body: &[u8]) -> Result<HashMap<String, String>, BadForm> {
    let mut fields = HashMap::new();
    for (name, value) in form_urlencoded::parse(body) {
        // Bytes that are not UTF-8 have become this character.
        if value.contains(['\0', char::REPLACEMENT_CHARACTER]) {
            return Err(BadForm::Text);
        }
        // A field without a value counts as left out (RFC 6749, section 3.2).
        if !value.is_empty() && fields.insert(name.into_owned(), value.into_owned()).is_some() {
            return Err(BadForm::Repeated);
        }
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_every_field_once() {
        let fields = parse(b"a=1&b=a%20b+c&empty=").unwrap();
        assert_eq!(fields.len(), 2);
        assert_eq!((&*fields["a"], &*fields["b"]), ("1", "a b c"));
        assert_eq!(parse(b"a=1&a=1"), Err(BadForm::Repeated));
        assert_eq!(parse(b"a=%ff"), Err(BadForm::Text));
        assert_eq!(parse(b"a=%00"), Err(BadForm::Text));
        assert_eq!(parse(b""), Ok(HashMap::new()));
    }
}
