//! `DELETE /v1/me`

use actix_web::{HttpResponse, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use super::with_password_field;

use crate::{
    app::App,
    error::{ApiError, ApiResult, Forbidden},
    http::{Address, Body},
    middleware::{DeletedCaller, Endpoint},
};

/// The confirmation of a deletion.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "password": "correct horse battery" }))]
pub struct DeleteMeRequest {
    /// The password of the account. Guests have none and leave it out.
    #[schema(format = Password)]
    password: Option<String>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_delete_me, delete_me)
}

/// Delete your account
///
/// Deletes your name, e-mail address, password, sessions and all tokens at once and frees the name. Access tokens stop working
/// too, at other replicas within a second. You leave matches that have not started and resign from those in progress. Matches
/// keep a seat without a name, so that they can still be replayed. This cannot be undone. Repeating the request is harmless.
#[utoipa::path(
    delete,
    path = "/v1/me",
    tag = "Players",
    security(("bearer" = ["session"])),
    request_body = DeleteMeRequest,
    responses((status = 204, description = "Your account is deleted."), Forbidden),
)]
pub async fn delete_me(
    app: Data<App>,
    caller: DeletedCaller,
    address: Address,
    body: Body<DeleteMeRequest>,
) -> ApiResult<HttpResponse> {
    let id = caller.0.player;
    match app.accounts.find(id).await? {
        Some(player) => {
            let confirmed = app.accounts.confirm(&player, body.value.password, address.0).await;
            confirmed.map_err(with_password_field("password"))?;
            app.deletions.delete(&player).await?;
        }
        None if app.deletions.was_deleted(id).await? => {}
        None => return Err(ApiError::player_gone()),
    }
    Ok(HttpResponse::NoContent().finish())
}
