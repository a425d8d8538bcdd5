//! `GET /readyz`

use actix_web::web::{Data, Json};

use super::health::Health;

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_readiness, get_readiness)
}

/// Can requests be answered?
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "System",
    responses(
        (status = 200, description = "They can.", body = Health),
        (status = 503, description = "The store cannot be reached.", body = crate::error::Problem, content_type = "application/problem+json"),
    ),
)]
pub async fn get_readiness(app: Data<App>) -> ApiResult<Json<Health>> {
    match app.matches.log().ping().await {
        Ok(()) => Ok(Json(Health::OK)),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            Err(ApiError::unavailable())
        }
    }
}
