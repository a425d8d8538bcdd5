//! `DELETE /v1/sessions/current`

use actix_web::{HttpResponse, web::Data};

use crate::{app::App, error::ApiResult, middleware::Caller, middleware::Endpoint};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_delete_session, delete_session)
}

/// Log out
///
/// The refresh token and the access token stop working at once; at other replicas, the access token stops working within a
/// second. `DELETE /v1/me/sessions/{id}` ends another session.
#[utoipa::path(
    delete,
    path = "/v1/sessions/current",
    tag = "Sessions",
    security(("bearer" = ["session"])),
    responses((status = 204, description = "The session has ended.")),
)]
pub async fn delete_session(app: Data<App>, caller: Caller) -> ApiResult<HttpResponse> {
    app.accounts.sessions.end(caller.player, caller.session, app.clock.now()).await?;
    Ok(HttpResponse::NoContent().finish())
}
