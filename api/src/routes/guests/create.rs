//! `POST /v1/guests`

use actix_web::{HttpResponse, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    documents::Session,
    error::{ApiResult, Conflict, Unprocessable},
    http::{Body, Device, IdempotencyKey},
    limits::RateClass,
    middleware::Endpoint,
};

/// The guest to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Ana" }))]
pub struct CreateGuestRequest {
    /// The public name: 2 to 30 characters. Other guests may have the same one, but no account. Defaults to `Guest` and a number.
    #[schema(min_length = 2, max_length = 30)]
    name: Option<String>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_create_guest, create_guest).limited_as(RateClass::SignIn)
}

/// Create a guest
///
/// The quickest way to start playing: no password and no e-mail address. The response contains a `recovery_code`, with which
/// the guest can come back on another device (`POST /v1/guests/recover`). To turn a guest into an account later, set a password
/// with `PATCH /v1/me`. For 15 minutes, a retry with the same `Idempotency-Key` from the same address opens another session for
/// the same guest, unless it has become an account. The key is a secret: it must be a new random UUID (version 4 or 7), which
/// nobody else can guess.
#[utoipa::path(
    post,
    path = "/v1/guests",
    tag = "Players",
    params(("Idempotency-Key" = Option<Uuid>, Header, description = "Makes the request safe to retry: a random UUID that you keep to yourself.")),
    request_body = CreateGuestRequest,
    responses((status = 201, description = "A session for the new guest.", body = Session), Conflict, Unprocessable),
)]
pub async fn create_guest(
    app: Data<App>,
    key: IdempotencyKey,
    device: Device,
    body: Body<CreateGuestRequest>,
) -> ApiResult<HttpResponse> {
    let (name, key) = (body.value.name.as_deref(), key.0.as_deref());
    let tokens = app.accounts.create_guest(name, key, &device.0).await?;
    Ok(HttpResponse::Created().json(Session::from(tokens)))
}
