//! `DELETE /v1/me`

use actix_web::{HttpResponse, web::Data};
use sea_orm::EntityTrait;
use serde::Deserialize;
use utoipa::ToSchema;

use super::confirm;
use store::entities::player;

use crate::{
    app::App,
    error::{ApiError, ApiResult, Forbidden},
    http::{Address, Body},
    middleware::DeletedCaller,
    middleware::Endpoint,
};

/// Somebody who means it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "password": "correct horse battery" }))]
pub struct Farewell {
    /// The password of the account; guests have none.
    #[schema(format = Password)]
    password: Option<String>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_delete_me, delete_me)
}

/// Erase me
///
/// Name, e-mail address, password, sessions and all tokens are deleted at once, and the name is free again; access tokens that
/// are still in use end too, at other replicas within a second. You leave matches that have not started and resign from those
/// that are being played. Matches keep a seat without a name, so that they can still be replayed. There is no way back. Asking
/// again does no harm.
#[utoipa::path(
    delete,
    path = "/v1/me",
    tag = "Players",
    security(("bearer" = ["session"])),
    request_body = Farewell,
    responses((status = 204, description = "You are gone."), Forbidden),
)]
pub async fn delete_me(
    app: Data<App>,
    caller: DeletedCaller,
    address: Address,
    body: Body<Farewell>,
) -> ApiResult<HttpResponse> {
    let id = caller.0.player;
    match player::Entity::find_by_id(id).one(&app.db).await? {
        Some(player) => {
            confirm(&app, &player, address, body.value.password, "password").await?;
            app.deletions.delete(&player).await?;
        }
        None if app.deletions.was_deleted(id).await? => {}
        None => return Err(ApiError::player_gone()),
    }
    Ok(HttpResponse::NoContent().finish())
}
