//! `DELETE /v1/me/tokens/{id}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiError, ApiResult, NotFound},
    middleware::Caller,
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_delete_token, delete_token)
}

/// Revoke a personal access token
///
/// The token stops working at once, at other replicas within a second.
#[utoipa::path(
    delete,
    path = "/v1/me/tokens/{id}",
    tag = "Tokens",
    security(("bearer" = ["session"])),
    params(("id" = Uuid, Path, description = "The id of the token.")),
    responses((status = 204, description = "The token is revoked."), NotFound),
)]
pub async fn delete_token(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
) -> ApiResult<HttpResponse> {
    if !app.personal_tokens.revoke(caller.player, *id).await? {
        return Err(ApiError::not_found());
    }
    Ok(HttpResponse::NoContent().finish())
}
