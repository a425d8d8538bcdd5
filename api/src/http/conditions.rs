//! `ETag`, `If-Match` and `If-None-Match`. The tag of a match is its version, followed by a digest if the response shows
//! something besides the log. `If-Match` compares versions only. The tag of a compressed response ends with the encoding, which
//! is ignored when clients send it back.

use std::future::{Ready, ready};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::header::{self, HeaderName},
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
        let tags = tags(request, &header::IF_MATCH);
        if tags.is_empty() || tags.iter().any(|tag| tag == "*") {
            return ready(Ok(Self(None)));
        }
        let version = |tag: &String| -> Option<u64> {
            // Compressing proxies weaken tags, but the version is still the one that the client saw.
            tag.trim_start_matches("W/")
                .strip_prefix('"')?
                .strip_suffix('"')?
                .split('-')
                .next()?
                .parse()
                .ok()
        };
        let versions: Option<Vec<u64>> = tags.iter().map(version).collect();
        ready(versions.map(|versions| Self(Some(versions))).ok_or_else(|| {
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
