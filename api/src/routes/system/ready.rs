//! `GET /readyz`

use actix_web::{
    get,
    web::{Data, Json},
};

use super::health::Health;

use crate::{
    app::App,
    error::{ApiError, ApiResult},
};

/// Can requests be answered?
#[utoipa::path(
    tag = "System",
    responses(
        (status = 200, description = "They can.", body = Health),
        (status = 503, description = "The store cannot be reached.", body = crate::error::Problem, content_type = "application/problem+json"),
    ),
)]
#[get("/readyz")]
pub async fn get_readiness(app: Data<App>) -> ApiResult<Json<Health>> {
    match app.matches.log().ping().await {
        Ok(()) => Ok(Json(Health::OK)),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            Err(ApiError::unavailable())
        }
    }
}
