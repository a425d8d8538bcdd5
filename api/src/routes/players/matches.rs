//! `GET /v1/players/{id}/matches`

use actix_web::web::{Data, Json, Path};
use uuid::Uuid;

use crate::{
    app::App,
    documents::MatchPage,
    error::{ApiResult, NotFound},
    http::{MatchQuery, Params},
    middleware::{Endpoint, MaybeCaller},
    routes::matches::list::page,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_player_matches, list_player_matches)
}

/// List the matches of a player
///
/// Public matches and your own, newest first. The filters are those of `GET /v1/matches`; `player` names another player who sits in the
/// same match.
#[utoipa::path(
    get,
    path = "/v1/players/{id}/matches",
    tag = "Statistics",
    security((), ("bearer" = ["match:read"])),
    params(("id" = Uuid, Path, description = "The id of the player."), MatchQuery),
    responses((status = 200, description = "A page of matches.", body = MatchPage), NotFound),
)]
pub async fn list_player_matches(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    query: Params<MatchQuery>,
) -> ApiResult<Json<MatchPage>> {
    app.named_player(*id).await?;
    page(&app, caller, &query.0, Some(*id)).await.map(Json)
}
