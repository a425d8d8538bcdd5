//! `GET /v1/me/blocks`

use actix_web::web::{Data, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::App,
    documents::BlockedPlayer,
    error::ApiResult,
    http::{Cursor, Limit, Params},
    middleware::{Caller, Endpoint},
};

/// The page of blocked players to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListBlocksQuery {
    /// The number of players on a page; 50 by default.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Limit,
    /// The `next` of the previous page.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// A page of blocked players, newest players first.
#[derive(Debug, Serialize, ToSchema)]
pub struct BlockPage {
    /// The players.
    blocks: Vec<BlockedPlayer>,
    /// The `cursor` of the next page; `null` on the last page.
    next: Option<Uuid>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_blocks, list_blocks)
}

/// List the players whom you have blocked
#[utoipa::path(
    get,
    path = "/v1/me/blocks",
    tag = "Players",
    security(("bearer" = ["session"])),
    params(ListBlocksQuery),
    responses((status = 200, description = "A page of blocked players.", body = BlockPage)),
)]
pub async fn list_blocks(
    app: Data<App>,
    caller: Caller,
    query: Params<ListBlocksQuery>,
) -> ApiResult<Json<BlockPage>> {
    let ListBlocksQuery { limit, cursor } = query.0;
    let before = cursor.map(|cursor| cursor.0);
    let rows = app.blocks.list(caller.player, before, limit.and_one_more()).await?;
    let (rows, next) = limit.page(rows, |block| block.blocked_id);
    let blocks = BlockedPlayer::list(rows, &app.names, app.clock.now()).await?;
    Ok(Json(BlockPage { blocks, next }))
}
