//! `GET /healthz`

use actix_web::{get, web::Json};
use serde::Serialize;
use utoipa::ToSchema;

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

/// Is the process alive?
#[utoipa::path(
    tag = "System",
    responses((status = 200, description = "It is.", body = Health)),
)]
#[get("/healthz")]
pub async fn get_health() -> Json<Health> {
    Json(Health::OK)
}
