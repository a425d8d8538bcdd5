//! `GET /v1/players/{id}`

use actix_web::{
    get,
    web::{Data, Json, Path},
};
use sea_orm::EntityTrait;
use uuid::Uuid;

use super::Profile;
use crate::{
    app::App,
    entities::player,
    error::{ApiError, ApiResult, NotFound},
};

/// A player
#[utoipa::path(
    tag = "Players",
    params(("id" = Uuid, Path, description = "The id of the player.")),
    responses((status = 200, description = "The player as others see it.", body = Profile), NotFound),
)]
#[get("/v1/players/{id}")]
pub async fn get_player(app: Data<App>, id: Path<Uuid>) -> ApiResult<Json<Profile>> {
    let player = player::Entity::find_by_id(*id).one(&app.db).await?;
    player.map(|player| Json(player.into())).ok_or_else(ApiError::not_found)
}
