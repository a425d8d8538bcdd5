//! `GET /v1/matches/{id}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use uuid::Uuid;

use crate::{
    app::App,
    documents::MatchDocument,
    error::{ApiResult, NotFound},
    http::{IfNoneMatch, ReadConsistency},
    middleware::{Endpoint, MaybeCaller},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_match, get_match)
}

/// Get a match
///
/// The match as you see it: its seats, whose turn it is, and your view of the game.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}",
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The match as you see it.", body = MatchDocument,
         headers(("ETag" = String, description = "The version, and a digest of the names of the players."))),
        (status = 304, description = "The match has not changed."),
        NotFound,
    ),
)]
pub async fn get_match(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    consistency: ReadConsistency,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let m = app.visible_match(*id, caller.player(), consistency.0).await?;
    let page = app.match_page(&m, caller.player()).await?;
    Ok(page.respond(&known, "private, no-cache", Some("Authorization")))
}
