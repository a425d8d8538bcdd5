//! `GET /v1/matches/{id}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use uuid::Uuid;

use super::{MatchDocument, page, visible};

use crate::{
    app::App,
    error::{ApiResult, NotFound},
    http::{IfNoneMatch, ReadConsistency},
    middleware::Endpoint,
    middleware::MaybeCaller,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_match, get_match)
}

/// A match: header, whose turn it is, and what you may see
#[utoipa::path(
    get,
    path = "/v1/matches/{id}",
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "The match as you see it.", body = MatchDocument,
         headers(("ETag" = String, description = "The version, and a digest of the names of the players."))),
        (status = 304, description = "You have it already."),
        NotFound,
    ),
)]
pub async fn get_match(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    fresh: ReadConsistency,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let table = visible(&app, *id, caller, fresh.0).await?;
    let page = page(&app, &table, caller.player()).await?;
    Ok(page.respond(&known, "private, no-cache", Some("Authorization")))
}
