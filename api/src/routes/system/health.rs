//! `GET /healthz`

use actix_web::web::Json;
use serde::Serialize;
use utoipa::ToSchema;

use crate::middleware::Endpoint;

/// Whether something works.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`.
    #[schema(example = "ok")]
    pub status: &'static str,
    /// The version of the server.
    #[schema(example = "0.1.0")]
    pub version: &'static str,
}

impl Health {
    pub(super) const OK: Self = Self { status: "ok", version: env!("CARGO_PKG_VERSION") };
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_health, get_health)
}

/// Is the process alive?
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "System",
    responses((status = 200, description = "It is.", body = Health)),
)]
pub async fn get_health() -> Json<Health> {
    Json(Health::OK)
}
