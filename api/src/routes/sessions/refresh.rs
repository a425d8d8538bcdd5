//! `POST /v1/sessions/refresh`

use actix_web::web::{Data, Json};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{app::App, documents::Session, error::ApiResult, http::Body, middleware::Endpoint};

/// A refresh token.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "refresh_token": "kq3nY0y3o1S0r0m3T0k3nWith256BitsOfEntropy-_" }))]
pub struct Refresh {
    /// The one from the last answer; it works once.
    refresh_token: String,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_refresh_session, refresh_session)
}

/// Get new tokens
///
/// A refresh token works once. If it is used a second time the session ends, because somebody else has it too.
#[utoipa::path(
    post,
    path = "/v1/sessions/refresh",
    tag = "Sessions",
    request_body = Refresh,
    responses(
        (status = 200, description = "New tokens.", body = Session),
        (status = 401, description = "The refresh token is not good.", body = crate::error::Problem, content_type = "application/problem+json"),
    ),
)]
pub async fn refresh_session(app: Data<App>, body: Body<Refresh>) -> ApiResult<Json<Session>> {
    let tokens = app.sessions.refresh(&body.value.refresh_token, app.clock.now()).await?;
    Ok(Json(Session::from(tokens)))
}
