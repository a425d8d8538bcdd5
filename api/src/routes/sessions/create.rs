//! `POST /v1/sessions`

use actix_web::{HttpResponse, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    documents::Session,
    error::ApiResult,
    http::{Body, Device},
    limits::RateClass,
    middleware::Endpoint,
};

/// The credentials of an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Ana", "password": "correct horse battery" }))]
pub struct CreateSessionRequest {
    /// The name of the account.
    name: String,
    /// Its password.
    #[schema(format = Password)]
    password: String,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_create_session, create_session).limited_as(RateClass::SignIn)
}

/// Log in
///
/// After five wrong passwords for the same name from the same address, the next attempt has to wait: one second, then two, then
/// four, and so on up to 15 minutes. Attempts from other addresses are not affected.
#[utoipa::path(
    post,
    path = "/v1/sessions",
    tag = "Sessions",
    request_body = CreateSessionRequest,
    responses(
        (status = 201, description = "A new session.", body = Session),
        (status = 401, description = "The name or the password is wrong.", body = crate::error::Problem, content_type = "application/problem+json"),
    ),
)]
pub async fn create_session(
    app: Data<App>,
    device: Device,
    body: Body<CreateSessionRequest>,
) -> ApiResult<HttpResponse> {
    let CreateSessionRequest { name, password } = body.value;
    let tokens = app.accounts.log_in(&name, password, &device.0).await?;
    Ok(HttpResponse::Created().json(Session::from(tokens)))
}
