//! `GET /.well-known/jwks.json`

use actix_web::{HttpResponse, http::header, web::Data};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{app::App, middleware::Endpoint};

/// A set of public keys (RFC 7517).
#[derive(Debug, Serialize, ToSchema)]
pub struct KeySet {
    /// The keys.
    #[schema(value_type = Vec<PublicKey>)]
    keys: Vec<jsonwebtoken::jwk::Jwk>,
}

/// A public key of Ed25519 (RFC 8037), as `jsonwebtoken` writes it.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes what another crate writes")]
pub struct PublicKey {
    /// The kind of key.
    #[schema(example = "OKP")]
    kty: String,
    /// The curve.
    #[schema(example = "Ed25519")]
    crv: String,
    /// The key, in base64url.
    #[schema(example = "UVp-0fpEqBmgMrBB18r0Fi_zSd7iXSmjJRx81WHcdCw")]
    x: String,
    /// The id of the key, which tokens name.
    #[schema(example = "24gEuY50st5qdKIJJszG17Zq1CFVUvA6TddtBNux36o")]
    kid: String,
    /// How it signs.
    #[schema(example = "EdDSA")]
    alg: String,
    /// What it is for.
    #[schema(rename = "use", example = "sig")]
    purpose: String,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_jwks, get_jwks)
}

/// The public keys that access tokens are signed with
#[utoipa::path(
    get,
    path = "/.well-known/jwks.json",
    tag = "System",
    responses((status = 200, description = "The keys.", body = KeySet)),
)]
pub async fn get_jwks(app: Data<App>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600"))
        .json(KeySet { keys: app.tokens.public_keys().keys })
}
