//! `GET /v1/me/tokens`

use actix_web::web::{Data, Json};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    documents::AccessToken,
    error::ApiResult,
    middleware::{Caller, Endpoint},
};

/// Your personal access tokens.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccessTokenList {
    /// All tokens, newest first, including expired ones until they are revoked.
    tokens: Vec<AccessToken>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_tokens, list_tokens)
}

/// List your personal access tokens
#[utoipa::path(
    get,
    path = "/v1/me/tokens",
    tag = "Tokens",
    security(("bearer" = ["session"])),
    responses((status = 200, description = "The tokens, without their secrets.", body = AccessTokenList)),
)]
pub async fn list_tokens(app: Data<App>, caller: Caller) -> ApiResult<Json<AccessTokenList>> {
    let tokens = app.personal_tokens.list(caller.player).await?;
    Ok(Json(AccessTokenList { tokens: tokens.into_iter().map(AccessToken::from).collect() }))
}
