//! `POST /v1/sessions/refresh`

use actix_web::web::{Data, Json};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    documents::Session,
    error::ApiResult,
    http::{Body, Device},
    middleware::Endpoint,
};

/// The refresh token of a session.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "refresh_token": "kq3nY0y3o1S0r0m3T0k3nWith256BitsOfEntropy-_" }))]
pub struct RefreshSessionRequest {
    /// The token from the last response.
    refresh_token: String,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_refresh_session, refresh_session)
}

/// Refresh a session
///
/// Exchanges a refresh token for new tokens. If the response gets lost, send the request again: a refresh token works until its
/// successor has been used. After that, using it ends the session, because somebody else must have the token too. If you
/// exchange the same token twice, keep one of the two successors: the first one that is used makes the other one worthless.
#[utoipa::path(
    post,
    path = "/v1/sessions/refresh",
    tag = "Sessions",
    request_body = RefreshSessionRequest,
    responses(
        (status = 200, description = "The new tokens.", body = Session),
        (status = 401, description = "The refresh token is unknown or has expired, or a later one has been used.", body = crate::error::Problem, content_type = "application/problem+json"),
    ),
)]
pub async fn refresh_session(
    app: Data<App>,
    device: Device,
    body: Body<RefreshSessionRequest>,
) -> ApiResult<Json<Session>> {
    let sessions = &app.accounts.sessions;
    let tokens = sessions.refresh(&body.value.refresh_token, &device.0, app.clock.now()).await?;
    Ok(Json(Session::from(tokens)))
}
