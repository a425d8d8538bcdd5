//! `GET /v1/matches/{id}/export`

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path},
};
use domain::text::Text;
use uuid::Uuid;

use super::visible;
use service::export::Export;

use crate::{
    app::App,
    error::{ApiError, ApiResult, Conflict, NotFound},
    http::{JSON, ReadConsistency},
    middleware::Endpoint,
    middleware::MaybeCaller,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_export_match, export_match)
}

/// A match as a file
///
/// Everything that there is to know about a match that is over, with the names of its players: `telar import FILE` reads it
/// into another server, with the same hashes.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/export",
    tag = "Records",
    security((), ("bearer" = ["match:read"])),
    params(("id" = Uuid, Path, description = "The id of the match.")),
    responses(
        (status = 200, description = "The match.", body = Export,
         headers(("Content-Disposition" = String, description = "A name for the file."))),
        NotFound,
        Conflict,
    ),
)]
pub async fn export_match(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    fresh: ReadConsistency,
) -> ApiResult<HttpResponse> {
    let table = visible(&app, *id, caller, fresh.0).await?;
    if !table.status().is_over() {
        let text = Text::new(
            "The match is not over; until then its proof says what can be said.",
            "La partida no ha terminado; hasta entonces su prueba dice lo que se puede decir.",
        );
        return Err(ApiError::new(StatusCode::CONFLICT, "not_over", text).version(table.version()));
    }
    let log = app.matches.history(*id, table.version()).await?;
    let export =
        Export::of(&app.names, &log, app.clock.now()).await?.ok_or_else(ApiError::internal)?;
    let file = format!("attachment; filename=\"telar-{}-{}.json\"", table.game().info().key, *id);
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_DISPOSITION, file))
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .insert_header((header::VARY, "Authorization"))
        .content_type(JSON)
        .body(export.to_text()))
}
