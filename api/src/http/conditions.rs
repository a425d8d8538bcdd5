//! `ETag`, `If-Match` and `If-None-Match`. The tag of a match is its version, followed by a digest if the response shows
//! something besides the log. `If-Match` compares versions only. The tag of a compressed response ends with the encoding, which
//! is ignored when clients send it back.

use std::future::{Ready, ready};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::header::{self, HeaderName, HeaderValue},
};
use domain::text::Text;

use crate::error::ApiError;

/// The tag of a version.
#[must_use]
pub fn etag(version: u64) -> String {
    format!("\"{version}\"")
}

/// The tag of the same response in an encoding.
#[must_use]
pub fn encoded(tag: &str, encoding: &str) -> String {
    match tag.strip_suffix('"') {
        Some(open) => format!("{open}-{encoding}\""),
        None => tag.to_owned(),
    }
}

/// Whether a tag that a client sent identifies the same response as ours, whatever the encoding.
fn is_same(sent: &str, ours: &str) -> bool {
    let sent = sent.trim_start_matches("W/");
    let Some(rest) = ours.strip_suffix('"').and_then(|open| sent.strip_prefix(open)) else {
        return false;
    };
    matches!(rest, "\"" | "-br\"" | "-gzip\"" | "-zstd\"")
}

/// The versions that a command may be based on; `None` if any version will do.
#[derive(Debug, Clone)]
pub struct IfMatch(pub Option<Vec<u64>>);

/// The tags of the responses that the client has.
#[derive(Debug, Clone)]
pub struct IfNoneMatch(Vec<String>);

impl IfNoneMatch {
    /// Whether the client has the response with this tag.
    #[must_use]
    pub fn has(&self, tag: &str) -> bool {
        self.0.iter().any(|known| known == "*" || is_same(known, tag))
    }
}

fn tags(request: &HttpRequest, name: &HeaderName) -> Vec<String> {
    request
        .headers()
        .get_all(name)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim().to_owned())
        .filter(|tag| !tag.is_empty())
        .collect()
}

impl FromRequest for IfMatch {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let sent: Vec<&HeaderValue> = request.headers().get_all(header::IF_MATCH).collect();
        ready(versions(&sent).map(Self).ok_or_else(|| {
            ApiError::bad_field(
                "If-Match",
                Text::new(
                    "`If-Match` must be the version of the match in double quotes, as in \"17\".",
                    "`If-Match` debe ser la versión de la partida entre comillas dobles, como \"17\".",
                ),
            )
        }))
    }
}

/// The versions in `If-Match`; the inner `None` if any version will do, the outer one if the header cannot be read: a command
/// must not be carried out under a condition that nobody has understood.
#[expect(clippy::option_option, reason = "either may be missing")]
fn versions(sent: &[&HeaderValue]) -> Option<Option<Vec<u64>>> {
    if sent.is_empty() {
        return Some(None);
    }
    let texts: Vec<&str> = sent.iter().map(|value| value.to_str().ok()).collect::<Option<_>>()?;
    let tags: Vec<&str> = texts
        .iter()
        .flat_map(|text| text.split(','))
        .map(str::trim)
        .filter(|tag| !tag.is_empty())
        .collect();
    match tags.as_slice() {
        [] => None,
        ["*"] => Some(None),
        tags => tags.iter().map(|tag| version(tag)).collect::<Option<_>>().map(Some),
    }
}

/// The version in a tag. Compressing proxies weaken tags, but the version is still the one that the client saw.
fn version(tag: &str) -> Option<u64> {
    let opaque = tag.strip_prefix("W/").unwrap_or(tag).strip_prefix('"')?.strip_suffix('"')?;
    let number = opaque.split('-').next()?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok())?
}

impl FromRequest for IfNoneMatch {
    type Error = std::convert::Infallible;
    type Future = Ready<Result<Self, Self::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(tags(request, &header::IF_NONE_MATCH))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unreadable_condition_is_no_condition_that_holds() {
        let read = |sent: &[&[u8]]| {
            let values: Vec<HeaderValue> =
                sent.iter().map(|bytes| HeaderValue::from_bytes(bytes).expect("a value")).collect();
            versions(&values.iter().collect::<Vec<_>>())
        };
        assert_eq!(read(&[]), Some(None));
        assert_eq!(read(&[b"*"]), Some(None));
        assert_eq!(read(&[b"\"17\""]), Some(Some(vec![17])));
        assert_eq!(read(&[b"W/\"17-9f8e-gzip\", \"3\"", b"\"4\""]), Some(Some(vec![17, 3, 4])));
        for unreadable in [
            b"".as_slice(),
            b" , ",
            b"17",
            b"\"17",
            b"\"\"",
            b"\"+17\"",
            b"\"x\"",
            b"*, \"17\"",
            b"\"17\", x",
            b"\"17\xff\"",
            b"\"99999999999999999999\"",
            b"W/W/\"17\"",
        ] {
            assert_eq!(read(&[unreadable]), None, "{}", String::from_utf8_lossy(unreadable));
        }
        assert_eq!(read(&[b"\"17\"", b"\xff"]), None);
    }

    #[test]
    fn a_tag_is_recognised_in_every_encoding_and_no_other_is() {
        let ours = "\"17-9f8e7d6c\"";
        for sent in
            [ours.to_owned(), format!("W/{ours}"), encoded(ours, "br"), encoded(ours, "gzip")]
        {
            assert!(is_same(&sent, ours), "{sent}");
        }
        for sent in ["\"17\"", "\"17-9f8e7d6c-lzma\"", "\"17-9f8e7d6c", "17-9f8e7d6c", ""] {
            assert!(!is_same(sent, ours), "{sent}");
        }
        assert_eq!(encoded(ours, "zstd"), "\"17-9f8e7d6c-zstd\"");
    }
}
