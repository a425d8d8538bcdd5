//! `DELETE /v1/me/tokens/{id}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

use store::entities::access_token;

use crate::{
    app::App,
    error::{ApiError, ApiResult, NotFound},
    middleware::Caller,
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_delete_token, delete_token)
}

/// Revoke a personal access token
///
/// It no longer works, at other replicas after a second at most.
#[utoipa::path(
    delete,
    path = "/v1/me/tokens/{id}",
    tag = "Tokens",
    security(("bearer" = ["session"])),
    params(("id" = Uuid, Path, description = "The id of the token.")),
    responses((status = 204, description = "It is revoked."), NotFound),
)]
pub async fn delete_token(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
) -> ApiResult<HttpResponse> {
    let deleted = access_token::Entity::delete_many()
        .filter(access_token::Column::Id.eq(*id))
        .filter(access_token::Column::PlayerId.eq(caller.player))
        .exec(&app.db)
        .await?;
    app.personal_tokens.forget();
    if deleted.rows_affected == 0 {
        return Err(ApiError::not_found());
    }
    Ok(HttpResponse::NoContent().finish())
}
