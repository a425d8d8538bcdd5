//! `POST /v1/players`

use actix_web::{HttpResponse, web::Data};
use serde::Deserialize;
use service::identity::NewAccount;
use utoipa::ToSchema;

use crate::{
    app::App,
    documents::Session,
    error::{ApiResult, Conflict, Unprocessable},
    http::{Body, Device, IdempotencyKey},
    limits::RateClass,
    middleware::Endpoint,
};

/// The account to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Ana", "password": "correct horse battery" }))]
pub struct CreatePlayerRequest {
    /// The public name: 2 to 30 characters. No other account has a name that looks like it.
    #[schema(min_length = 2, max_length = 30)]
    name: String,
    /// 8 to 128 characters; not a common password, nor your name or e-mail address.
    #[schema(min_length = 8, max_length = 128, format = Password)]
    password: String,
    /// Your e-mail address. Only you can see it.
    #[schema(max_length = 254)]
    email: Option<String>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_create_player, create_player).limited_as(RateClass::SignIn)
}

/// Create an account
///
/// A retry with the same `Idempotency-Key` opens another session for the same account, if it names the current password of the
/// account; otherwise it is 422. Wrong passwords count as for `POST /v1/sessions`.
#[utoipa::path(
    post,
    path = "/v1/players",
    tag = "Players",
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes the request safe to retry.")),
    request_body = CreatePlayerRequest,
    responses((status = 201, description = "A session for the new account.", body = Session), Conflict, Unprocessable),
)]
pub async fn create_player(
    app: Data<App>,
    key: IdempotencyKey,
    device: Device,
    body: Body<CreatePlayerRequest>,
) -> ApiResult<HttpResponse> {
    let CreatePlayerRequest { name, password, email } = body.value;
    let account = NewAccount { name, password, email };
    let tokens = app.accounts.register(account, key.0.as_deref(), &device.0).await?;
    Ok(HttpResponse::Created().json(Session::from(tokens)))
}
