//! `GET /v1/players/{id}/matches`

use actix_web::web::{Data, Json, Path};
use uuid::Uuid;

use super::named;

use crate::{
    app::App,
    error::{ApiResult, NotFound},
    http::Params,
    middleware::Endpoint,
    middleware::MaybeCaller,
    routes::matches::list::{Filter, MatchPage, page},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_list_player_matches, list_player_matches)
}

/// The matches of a player
///
/// Public matches and your own, newest first; the filters are those of `GET /v1/matches`, and `player` names somebody else who
/// sits there too.
#[utoipa::path(
    get,
    path = "/v1/players/{id}/matches",
    tag = "Statistics",
    security((), ("bearer" = ["match:read"])),
    params(("id" = Uuid, Path, description = "The id of the player."), Filter),
    responses((status = 200, description = "A page of matches.", body = MatchPage), NotFound),
)]
pub async fn list_player_matches(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    filter: Params<Filter>,
) -> ApiResult<Json<MatchPage>> {
    named(&app, *id).await?;
    page(&app, caller, &filter.0, Some(*id)).await.map(Json)
}
