//! `ETag`, `If-Match` and `If-None-Match`: the tag of a match is its version, followed by a digest where something else
//! than the log is shown too. `If-Match` looks at the version only.

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

/// The versions that a move may rest upon; none if anything goes.
#[derive(Debug, Clone)]
pub struct IfMatch(pub Option<Vec<u64>>);

/// The tags that the client has already.
#[derive(Debug, Clone)]
pub struct IfNoneMatch(Vec<String>);

impl IfNoneMatch {
    /// Whether the client has this one.
    #[must_use]
    pub fn has(&self, tag: &str) -> bool {
        self.0.iter().any(|known| known == "*" || known.trim_start_matches("W/") == tag)
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
            tag.strip_prefix('"')?.strip_suffix('"')?.split('-').next()?.parse().ok()
        };
        let versions: Option<Vec<u64>> = tags.iter().map(version).collect();
        ready(versions.map(|versions| Self(Some(versions))).ok_or_else(|| {
            ApiError::bad_field(
                "If-Match",
                Text::new(
                    "If-Match holds the version of the match in double quotes, as in \"17\".",
                    "If-Match lleva la versión de la partida entre comillas, como \"17\".",
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
