//! `GET /v1/me/tokens`

use actix_web::web::{Data, Json};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use serde::Serialize;
use utoipa::ToSchema;

use super::AccessToken;
use store::entities::access_token;

use crate::{app::App, error::ApiResult, middleware::Caller, middleware::Endpoint};

/// All tokens of a player.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccessTokenList {
    /// The tokens, newest first; those that have expired too, until they are revoked.
    tokens: Vec<AccessToken>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_list_tokens, list_tokens)
}

/// My personal access tokens
#[utoipa::path(
    get,
    path = "/v1/me/tokens",
    tag = "Tokens",
    security(("bearer" = ["session"])),
    responses((status = 200, description = "The tokens, without their secrets.", body = AccessTokenList)),
)]
pub async fn list_tokens(app: Data<App>, caller: Caller) -> ApiResult<Json<AccessTokenList>> {
    let tokens = access_token::Entity::find()
        .filter(access_token::Column::PlayerId.eq(caller.player))
        .order_by_desc(access_token::Column::Id)
        .all(&app.db)
        .await?;
    Ok(Json(AccessTokenList { tokens: tokens.into_iter().map(AccessToken::from).collect() }))
}
