//! Errors of the token endpoint, as RFC 6749 (section 5.2) and RFC 8693 (section 2.2.2) write them.

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;

/// An error of the token endpoint.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct OAuthError {
    /// The code of the standard.
    pub error: OAuthErrorCode,
    /// What is wrong, for developers. Always in English, as the standard demands.
    #[schema(example = "The client id or the client secret is wrong.")]
    pub error_description: &'static str,
}

/// What is wrong with a request for a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OAuthErrorCode {
    /// A field is missing, repeated or wrong, or the token to exchange is not accepted.
    InvalidRequest,
    /// The client could not be authenticated.
    InvalidClient,
    /// The client may not do this.
    UnauthorizedClient,
    /// There is no such grant type here.
    UnsupportedGrantType,
    /// The scope is unknown, or the client does not have it.
    InvalidScope,
    /// Tokens are issued for this server only.
    InvalidTarget,
}

/// Why no token is issued.
#[derive(Debug)]
pub(super) enum Refusal {
    /// As the standards say.
    OAuth(OAuthError),
    /// For reasons that have nothing to do with OAuth.
    Problem(ApiError),
}

impl Refusal {
    pub(super) const fn new(error: OAuthErrorCode, error_description: &'static str) -> Self {
        Self::OAuth(OAuthError { error, error_description })
    }

    pub(super) const fn request(description: &'static str) -> Self {
        Self::new(OAuthErrorCode::InvalidRequest, description)
    }

    pub(super) const fn client() -> Self {
        Self::new(
            OAuthErrorCode::InvalidClient,
            "The client id or the client secret is missing or wrong.",
        )
    }
}

impl<E: Into<ApiError>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Problem(error.into())
    }
}

impl OAuthError {
    pub(super) fn respond(self) -> HttpResponse {
        let is_client = self.error == OAuthErrorCode::InvalidClient;
        let status = if is_client { StatusCode::UNAUTHORIZED } else { StatusCode::BAD_REQUEST };
        let mut response = HttpResponse::build(status);
        if is_client {
            response.insert_header((header::WWW_AUTHENTICATE, "Basic realm=\"telar\""));
        }
        response.insert_header((header::PRAGMA, "no-cache")).json(self)
    }
}
