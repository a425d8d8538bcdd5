//! `DELETE /v1/me/sessions/{id}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiError, ApiResult, NotFound},
    middleware::{Caller, Endpoint},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_end_session, end_session)
}

/// End one of your sessions
///
/// Its refresh token and its access token stop working at once; at other replicas, the access token stops working within a
/// second. Its streams end, too.
#[utoipa::path(
    delete,
    path = "/v1/me/sessions/{id}",
    tag = "Sessions",
    security(("bearer" = ["session"])),
    params(("id" = Uuid, Path, description = "The id of the session.")),
    responses((status = 204, description = "The session has ended."), NotFound),
)]
pub async fn end_session(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
) -> ApiResult<HttpResponse> {
    if !app.accounts.sessions.end(caller.player, *id, app.clock.now()).await? {
        return Err(ApiError::not_found());
    }
    Ok(HttpResponse::NoContent().finish())
}
