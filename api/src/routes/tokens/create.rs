//! `POST /v1/me/tokens`

use actix_web::{HttpResponse, http::header, web::Data};
use serde::{Deserialize, Serialize};
use service::identity::{NewPersonalToken, Scope};
use utoipa::ToSchema;

use crate::{
    app::App,
    documents::AccessToken,
    error::{ApiResult, Conflict, Unprocessable},
    http::{Body, IdempotencyKey},
    middleware::{Caller, Endpoint},
};

/// The token to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "My Qwinto bot", "scopes": ["match:read", "match:play"] }))]
pub struct CreateTokenRequest {
    /// A name for your own reference, 1 to 60 characters.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// What the token may do: at least one scope.
    #[schema(min_items = 1)]
    scopes: Vec<Scope>,
    /// The lifetime in days.
    #[serde(default = "default_days")]
    #[schema(value_type = Option<u16>, minimum = 1, maximum = 366, default = 90)]
    expires_in_days: u16,
}

const fn default_days() -> u16 {
    90
}

/// A new token with its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedAccessToken {
    /// The token.
    #[serde(flatten)]
    token: AccessToken,
    /// Send it in the `Authorization` header, after `Bearer `. Only this response contains it: the server stores its hash.
    #[schema(example = "telar_pat_0000000000000000000000000000000000000000000000")]
    secret: String,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_create_token, create_token)
}

/// Create a personal access token
///
/// For bots and third-party programs. A token can do what its scopes allow, but never manage tokens, your password or your
/// account. The secret is shown only in this response; it matches `telar_pat_[0-9A-Za-z]{46}`. A retry with the same
/// `Idempotency-Key` returns the same token with the same secret. You can have 50 tokens.
#[utoipa::path(
    post,
    path = "/v1/me/tokens",
    tag = "Tokens",
    security(("bearer" = ["session"])),
    params(("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key does not create a second token.")),
    request_body = CreateTokenRequest,
    responses(
        (status = 201, description = "The token and its secret.", body = CreatedAccessToken,
         headers(("Location" = String, description = "The URL that revokes the token with DELETE."))),
        Conflict, Unprocessable,
    ),
)]
pub async fn create_token(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    body: Body<CreateTokenRequest>,
) -> ApiResult<HttpResponse> {
    let CreateTokenRequest { name, scopes, expires_in_days } = body.value;
    let token = NewPersonalToken { name, scopes, days: expires_in_days };
    let request = key.request(&body.bytes);
    let (tokens, now) = (&app.personal_tokens, app.clock.now());
    let created = tokens.create(caller.player, caller.session, token, request, now);
    let (token, secret) = created.await?;
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/v1/me/tokens/{}", token.id)))
        .json(CreatedAccessToken { token: token.into(), secret }))
}
