//! The players of an application, by its own ids.

pub mod delete;
pub mod get;
pub mod put;

use actix_web::web::Path;
use service::applications::PlayerRef;
use store::players::Player;

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    middleware::ApplicationCaller,
};

/// The player of an application with this external id.
async fn find(app: &App, caller: ApplicationCaller, id: &Path<String>) -> ApiResult<Player> {
    let player = PlayerRef::External(id.as_str());
    let player = app.applications.player(caller.0.application, player).await?;
    player.ok_or_else(ApiError::not_found)
}
