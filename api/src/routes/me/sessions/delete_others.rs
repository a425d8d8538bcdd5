//! `DELETE /v1/me/sessions`

use actix_web::{HttpResponse, web::Data};

use crate::{
    app::App,
    error::ApiResult,
    middleware::{Caller, Endpoint},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_end_other_sessions, end_other_sessions)
}

/// End all your other sessions
///
/// Ends every session except the one of this request. Personal access tokens stay valid.
#[utoipa::path(
    delete,
    path = "/v1/me/sessions",
    tag = "Sessions",
    security(("bearer" = ["session"])),
    responses((status = 204, description = "All other sessions have ended.")),
)]
pub async fn end_other_sessions(app: Data<App>, caller: Caller) -> ApiResult<HttpResponse> {
    let sessions = &app.accounts.sessions;
    sessions.end_others(caller.player, caller.session, app.clock.now()).await?;
    Ok(HttpResponse::NoContent().finish())
}
