//! `GET /v1/matches/{id}/export`

use std::sync::Arc;

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path},
};
use domain::{proof::Proof, text::Text};
use uuid::Uuid;

use service::export::{Export, named_in};
use store::signatures;

use crate::{
    app::App,
    error::{ApiError, ApiResult, Conflict, NotFound},
    http::{Address, JSON, ReadConsistency},
    middleware::{Endpoint, MaybeCaller},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_export_match, export_match)
}

/// Export a match
///
/// The whole log of a match that is over, with the names of its players. `telar import FILE` imports it into another server, with the
/// same hashes.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/export",
    tag = "Records",
    security((), ("bearer" = ["match:read"])),
    params(("id" = Uuid, Path, description = "The id of the match.")),
    responses(
        (status = 200, description = "The match.", body = Export,
         headers(("Content-Disposition" = String, description = "The suggested file name."))),
        NotFound,
        Conflict,
    ),
)]
pub async fn export_match(
    app: Data<App>,
    caller: MaybeCaller,
    address: Address,
    id: Path<Uuid>,
    consistency: ReadConsistency,
) -> ApiResult<HttpResponse> {
    let m = app.visible_match(*id, caller.player(), consistency.0).await?;
    if !m.status().is_over() {
        let text = Text::new(
            "The match is not over; until then, only its proof is available.",
            "La partida no ha terminado; hasta entonces solo está disponible su prueba.",
        );
        return Err(ApiError::new(StatusCode::CONFLICT, "not_over", text).version(m.version()));
    }
    let turn = app.bulkheads.records.enter(address.0).await?;
    let log = Arc::new(app.matches.history().whole(*id, m.version()).await?);
    let signatures = signatures::of(&app.db.reader().await, *id).await?;
    let commits = Arc::clone(&log);
    let proof = turn.work(move || Proof::of(&commits)).await??.ok_or_else(ApiError::internal)?;
    let proof = proof.signed(signatures);
    let names = app.names.of(named_in(&proof), app.clock.now()).await?;
    let render = move || Export::new(proof, &log, &names).map(|export| export.to_text());
    let text = turn.work(render).await??;
    let file = format!("attachment; filename=\"telar-{}-{}.json\"", m.game().info().key, *id);
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_DISPOSITION, file))
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .insert_header((header::VARY, "Authorization"))
        .content_type(JSON)
        .body(text))
}
