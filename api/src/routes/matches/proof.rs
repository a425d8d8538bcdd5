//! `GET /v1/matches/{id}/proof`

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path},
};
use domain::proof::Proof;
use store::signatures;
use uuid::Uuid;

use super::viewpoint::cache_control;
use crate::{
    app::App,
    error::{ApiError, ApiResult, NotFound},
    http::{Address, IfNoneMatch, JSON, ReadConsistency},
    middleware::{Endpoint, MaybeCaller},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_proof, get_proof)
}

/// Get the proof of a match
///
/// With the proof anybody can check, offline, that the log was not changed and that every die and every shuffle follows from the
/// seed. `telar verify FILE` does so, and docs/proof.md explains how to write your own verifier. While the match is being played, the
/// proof contains the commitment, the entropy of the seats and a seal of every commit; the seed and the commits follow after the end.
/// The server signs the start and the end a moment after they happen, with a key of `/.well-known/jwks.json`.
/// Every byte counts: store the document unchanged.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/proof",
    tag = "Records",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The proof; once the match is over and signed, it never changes.", body = Proof,
         headers(("ETag" = String, description = "The version of the match and the number of signatures."))),
        (status = 304, description = "The response has not changed."),
        NotFound,
    ),
)]
pub async fn get_proof(
    app: Data<App>,
    caller: MaybeCaller,
    address: Address,
    id: Path<Uuid>,
    consistency: ReadConsistency,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let m = app.visible_match(*id, caller.player(), consistency.0).await?;
    let signatures = signatures::of(&app.db.reader().await, *id).await?;
    // The server signs a moment after the match has started and ended.
    let signed = [&signatures.start, &signatures.end].into_iter().flatten().count();
    let tag = format!("\"{}-{signed}\"", m.version());
    let caching = if signatures.end.is_some() { cache_control(&m) } else { "private, no-cache" };
    let mut response = HttpResponse::Ok();
    response.insert_header((header::ETAG, tag.clone()));
    response.insert_header((header::VARY, "Authorization"));
    response.insert_header((header::CACHE_CONTROL, caching));
    if known.has(&tag) {
        response.status(StatusCode::NOT_MODIFIED);
        return Ok(response.finish());
    }
    let turn = app.bulkheads.records.enter(address.0).await?;
    let log = app.matches.history().whole(*id, m.version()).await?;
    let prove = move || {
        let whole = log.partition_point(|commit| commit.version() <= m.version());
        Proof::of(&log[..whole]).map(|proof| proof.map(|it| it.signed(signatures).to_text()))
    };
    let proof = turn.work(prove).await??.ok_or_else(ApiError::internal)?;
    Ok(response.content_type(JSON).body(proof))
}
