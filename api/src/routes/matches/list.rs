//! `GET /v1/matches`

use actix_web::web::{Data, Json};
use uuid::Uuid;

use crate::{
    app::App,
    documents::{MatchListing, MatchPage},
    error::ApiResult,
    http::{MatchQuery, Params},
    middleware::{Endpoint, MaybeCaller},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_matches, list_matches)
}

/// List matches
///
/// Public matches, your own, and those that you are invited to, newest first.
#[utoipa::path(
    get,
    path = "/v1/matches",
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(MatchQuery),
    responses((status = 200, description = "A page of matches.", body = MatchPage)),
)]
pub async fn list_matches(
    app: Data<App>,
    caller: MaybeCaller,
    query: Params<MatchQuery>,
) -> ApiResult<Json<MatchPage>> {
    page(&app, caller, &query.0, None).await.map(Json)
}

/// A page of matches, of one player if `of` names one.
pub async fn page(
    app: &App,
    caller: MaybeCaller,
    query: &MatchQuery,
    of: Option<Uuid>,
) -> ApiResult<MatchPage> {
    let limit = query.limit.unwrap_or_default();
    let filter = query.filter(caller.player(), of)?;
    let matches = app.list_matches(&filter, limit.and_one_more()).await?;
    let (matches, next) = limit.page(matches, |listing: &MatchListing| listing.id);
    Ok(MatchPage { matches, next })
}
