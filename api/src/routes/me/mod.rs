//! The player who asks.

use actix_web::http::StatusCode;
use domain::text::Text;
use sea_orm::EntityTrait;

use service::identity::passwords;
use store::entities::player;

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    http::Address,
    middleware::Caller,
};

pub mod delete;
pub mod get;
pub mod stream;
pub mod update;

/// The player behind a token.
async fn load(app: &App, caller: Caller) -> ApiResult<player::Model> {
    let player = player::Entity::find_by_id(caller.player).one(&app.db).await?;
    player.ok_or_else(ApiError::player_gone)
}

/// Lets an account go on only with its password, which stands in `field`. Guests have none.
async fn confirm(
    app: &App,
    player: &player::Model,
    address: Address,
    given: Option<String>,
    field: &str,
) -> ApiResult<()> {
    let Some(stored) = player.password_hash.clone() else { return Ok(()) };
    let attempt = app.login_attempts.begin(&player.id.to_string(), address.0, app.clock.now())?;
    if passwords::verify(given.unwrap_or_default(), Some(stored)).await? {
        app.login_attempts.succeed(attempt);
        return Ok(());
    }
    Err(ApiError::new(
        StatusCode::FORBIDDEN,
        "wrong_password",
        Text::new(
            "The password of the account is missing or wrong.",
            "Falta la contraseña de la cuenta, o no es correcta.",
        ),
    )
    .field(field))
}
