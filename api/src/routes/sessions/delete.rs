//! `DELETE /v1/sessions/current`

use actix_web::{HttpResponse, web::Data};

use crate::{app::App, error::ApiResult, middleware::Caller, middleware::Endpoint};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_delete_session, delete_session)
}

/// Log out
///
/// The refresh token stops working at once; the access token expires on its own.
#[utoipa::path(
    delete,
    path = "/v1/sessions/current",
    tag = "Sessions",
    security(("bearer" = ["session"])),
    responses((status = 204, description = "The session has ended.")),
)]
pub async fn delete_session(app: Data<App>, caller: Caller) -> ApiResult<HttpResponse> {
    app.accounts.sessions.end(caller.session, app.clock.now()).await?;
    Ok(HttpResponse::NoContent().finish())
}
