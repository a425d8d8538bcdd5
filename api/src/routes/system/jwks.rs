//! `GET /.well-known/jwks.json`

use actix_web::{HttpResponse, get, http::header, web::Data};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;

/// A set of public keys (RFC 7517).
#[derive(Debug, Serialize, ToSchema)]
pub struct KeySet {
    /// The keys.
    #[schema(value_type = Vec<Object>)]
    keys: Vec<jsonwebtoken::jwk::Jwk>,
}

/// The public keys that access tokens are signed with
#[utoipa::path(
    tag = "System",
    responses((status = 200, description = "The keys.", body = KeySet)),
)]
#[get("/.well-known/jwks.json")]
pub async fn get_jwks(app: Data<App>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600"))
        .json(KeySet { keys: app.tokens.public_keys().keys })
}
