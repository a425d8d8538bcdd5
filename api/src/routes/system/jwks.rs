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

/// An Ed25519 public key (RFC 8037).
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes what another crate serialises")]
pub struct PublicKey {
    /// The type of key.
    #[schema(example = "OKP")]
    kty: String,
    /// The curve.
    #[schema(example = "Ed25519")]
    crv: String,
    /// The key, in base64url.
    #[schema(example = "UVp-0fpEqBmgMrBB18r0Fi_zSd7iXSmjJRx81WHcdCw")]
    x: String,
    /// The id of the key, as tokens and signatures name it.
    #[schema(example = "24gEuY50st5qdKIJJszG17Zq1CFVUvA6TddtBNux36o")]
    kid: String,
    /// The signature algorithm.
    #[schema(example = "EdDSA")]
    alg: String,
    /// The use of the key: `sig` for access tokens, `proof` for proofs of matches.
    #[schema(rename = "use", example = "sig")]
    purpose: String,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_jwks, get_jwks)
}

/// List the public keys of the server
///
/// Keys with the use `sig` sign access tokens. Keys with the use `proof` sign matches and the heads of the transparency log, and stay
/// in the list when they are retired.
#[utoipa::path(
    get,
    path = "/.well-known/jwks.json",
    tag = "System",
    responses((status = 200, description = "The public keys.", body = KeySet)),
)]
pub async fn get_jwks(app: Data<App>) -> HttpResponse {
    let mut keys = app.tokens.public_keys().keys;
    keys.extend(app.notary.public_keys().await);
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600"))
        .json(KeySet { keys })
}
