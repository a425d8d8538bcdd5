//! The player who asks.

use sea_orm::EntityTrait;

use crate::{
    app::App,
    auth::Caller,
    entities::player,
    error::{ApiError, ApiResult},
};

pub mod get;
pub mod update;

/// The player behind a token.
async fn load(app: &App, caller: Caller) -> ApiResult<player::Model> {
    let player = player::Entity::find_by_id(caller.player).one(&app.db).await?;
    player.ok_or_else(|| {
        ApiError::unauthorized(
            "player_gone",
            domain::text::Text::new("This player is gone.", "Este jugador ya no existe."),
        )
    })
}
