//! `GET /healthz`

use actix_web::web::Json;
use serde::Serialize;
use utoipa::ToSchema;

use crate::middleware::Endpoint;

/// The health of the process.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`.
    #[schema(example = "ok")]
    pub status: &'static str,
    /// The version of the server.
    #[schema(example = "0.1.0")]
    pub version: &'static str,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_health, get_health)
}

/// Check that the process is alive
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "System",
    responses((status = 200, description = "The process is alive.", body = Health)),
)]
pub async fn get_health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}
