//! `DELETE /v1/sessions/current`

use actix_web::{HttpResponse, delete, web::Data};

use crate::{app::App, error::ApiResult, middleware::Caller};

/// Log out
///
/// The refresh token no longer works. The access token runs out by itself.
#[utoipa::path(
    tag = "Sessions",
    security(("bearer" = ["session"])),
    responses((status = 204, description = "See you.")),
)]
#[delete("/v1/sessions/current")]
pub async fn delete_session(app: Data<App>, caller: Caller) -> ApiResult<HttpResponse> {
    app.sessions.end(caller.session, app.clock.now()).await?;
    Ok(HttpResponse::NoContent().finish())
}
