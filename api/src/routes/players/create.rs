//! `POST /v1/players`

use actix_web::{HttpResponse, web::Data};
use serde::Deserialize;
use service::identity::NewAccount;
use utoipa::ToSchema;

use crate::{
    app::App,
    documents::Session,
    error::{ApiResult, Conflict, Unprocessable},
    http::{Address, Body, IdempotencyKey},
    limits::RateClass,
    middleware::Endpoint,
};

/// The account to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Ana", "password": "correct horse battery" }))]
pub struct CreatePlayerRequest {
    /// The public name: 2 to 30 characters, unique regardless of case.
    #[schema(min_length = 2, max_length = 30)]
    name: String,
    /// 8 to 128 characters.
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
/// A retry with the same `Idempotency-Key` opens another session for the same account.
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
    address: Address,
    key: IdempotencyKey,
    body: Body<CreatePlayerRequest>,
) -> ApiResult<HttpResponse> {
    let CreatePlayerRequest { name, password, email } = body.value;
    let account = NewAccount { name, password, email };
    let tokens = app.accounts.register(account, address.0, key.request(&body.bytes)).await?;
    Ok(HttpResponse::Created().json(Session::from(tokens)))
}
