//! `POST /v1/sessions`

use actix_web::{HttpResponse, web::Data};
use domain::text::Text;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use serde::Deserialize;
use utoipa::ToSchema;

use service::identity::passwords;
use store::entities::player;

use crate::{
    app::App,
    documents::Session,
    error::{ApiError, ApiResult},
    http::{Address, Body},
    limits::RateClass,
    middleware::Endpoint,
    routes::players::name_key,
};

/// Somebody who comes back.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Ana", "password": "correct horse battery" }))]
pub struct Credentials {
    /// The name of the account.
    name: String,
    /// Its password.
    #[schema(format = Password)]
    password: String,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_create_session, create_session).limited_as(RateClass::SignIn)
}

/// Log in
///
/// After five wrong passwords for the same name from the same address, the next attempt has to wait: a second, then two, four, and
/// so on up to a quarter of an hour. Attempts from elsewhere are not affected.
#[utoipa::path(
    post,
    path = "/v1/sessions",
    tag = "Sessions",
    request_body = Credentials,
    responses(
        (status = 201, description = "Welcome back.", body = Session),
        (status = 401, description = "Name or password is wrong.", body = crate::error::Problem, content_type = "application/problem+json"),
    ),
)]
pub async fn create_session(
    app: Data<App>,
    address: Address,
    body: Body<Credentials>,
) -> ApiResult<HttpResponse> {
    let Credentials { name, password } = body.value;
    let key = name_key(name.trim());
    let attempt = app.login_attempts.begin(&key, address.0, app.clock.now())?;
    let player =
        player::Entity::find().filter(player::Column::NameKey.eq(key)).one(&app.db).await?;
    let stored = player.as_ref().and_then(|player| player.password_hash.clone());
    let good = passwords::verify(password, stored).await?;
    match player {
        Some(player) if good => {
            app.login_attempts.succeed(attempt);
            let session = Session::from(app.sessions.open(player, app.clock.now()).await?);
            Ok(HttpResponse::Created().json(session))
        }
        _ => Err(ApiError::unauthorized(
            "wrong_credentials",
            Text::new("Name or password is wrong.", "El nombre o la contraseña no es correcto."),
        )),
    }
}
