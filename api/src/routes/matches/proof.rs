//! `GET /v1/matches/{id}/proof`

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path},
};
use domain::proof::Proof;
use uuid::Uuid;

use super::{moment::keeping, visible};

use crate::{
    app::App,
    error::{ApiError, ApiResult, NotFound},
    http::{IfNoneMatch, JSON, ReadConsistency, etag},
    middleware::Endpoint,
    middleware::MaybeCaller,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_proof, get_proof)
}

/// The proof of a match
///
/// What it takes to check, offline, that nothing was changed and that every die and every shuffle follows from the seed:
/// `telar verify FILE` does it, and docs/proof.md says how to write a verifier of your own. While the match is being played
/// there are the commitment, the entropy of the seats, and a seal of every commit; seed and commits are shown after the end.
/// Every byte counts: keep the document as it comes.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/proof",
    tag = "Records",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "The proof; once the match is over it never changes.", body = Proof,
         headers(("ETag" = String, description = "The version of the match."))),
        (status = 304, description = "You have it already."),
        NotFound,
    ),
)]
pub async fn get_proof(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    fresh: ReadConsistency,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let table = visible(&app, *id, caller, fresh.0).await?;
    let tag = etag(table.version());
    let mut response = HttpResponse::Ok();
    response.insert_header((header::ETAG, tag.clone()));
    response.insert_header((header::VARY, "Authorization"));
    response.insert_header((header::CACHE_CONTROL, keeping(&table)));
    if known.has(&tag) {
        response.status(StatusCode::NOT_MODIFIED);
        return Ok(response.finish());
    }
    let log = app.matches.history(*id, table.version()).await?;
    let whole = log.partition_point(|commit| commit.version() <= table.version());
    let proof = Proof::of(&log[..whole])?.ok_or_else(ApiError::internal)?;
    Ok(response.content_type(JSON).body(proof.to_text()))
}
