//! `DELETE /v1/apps/current/players/{external_id}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};

use super::find;
use crate::{
    app::App,
    error::{ApiResult, NotFound},
    middleware::{ApplicationCaller, Endpoint},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_delete_application_player, delete_application_player)
}

/// Delete a player of your application
///
/// Deletes the name, the external id, all sessions and all tokens of the player at once. The player leaves matches that have not
/// started and resigns from those in progress. Matches keep a seat without a name. This cannot be undone: the same external id
/// stands for a new player afterwards.
#[utoipa::path(
    delete,
    path = "/v1/apps/current/players/{external_id}",
    tag = "Applications",
    security(("application" = ["player:write"])),
    params(("external_id" = String, Path, description = "Your own id of the player.")),
    responses((status = 204, description = "The player is deleted."), NotFound),
)]
pub async fn delete_application_player(
    app: Data<App>,
    caller: ApplicationCaller,
    id: Path<String>,
) -> ApiResult<HttpResponse> {
    let player = find(&app, caller, &id).await?;
    app.deletions.delete(&player).await?;
    Ok(HttpResponse::NoContent().finish())
}
