//! `PATCH /v1/me`

use actix_web::web::{Data, Json};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, IntoActiveModel};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{confirm, load};
use service::identity::passwords;

use crate::{
    app::App,
    documents::MyProfile,
    error::{ApiResult, Conflict, Forbidden},
    http::{Address, Body},
    middleware::Caller,
    middleware::Endpoint,
    routes::players::{explain, name_key, valid_email, valid_name, valid_password},
};

/// What is to change; what is left out stays.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Ana María" }))]
pub struct Changes {
    /// A new name.
    #[schema(min_length = 2, max_length = 30)]
    name: Option<String>,
    /// A new e-mail address, or `null` for none.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 254)]
    email: EmailChange,
    /// A new password. A guest who sets one becomes an account, and then its name has to be free.
    #[schema(min_length = 8, max_length = 128, format = Password)]
    password: Option<String>,
    /// The password until now; an account has to give it to change its password or e-mail address.
    #[schema(format = Password)]
    current_password: Option<String>,
}

/// Tells `null` from a field that was left out.
#[derive(Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Option<String>")]
enum EmailChange {
    #[default]
    Keep,
    Set(Option<String>),
}

impl From<Option<String>> for EmailChange {
    fn from(email: Option<String>) -> Self {
        Self::Set(email)
    }
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_update_me, update_me)
}

/// Change name, e-mail address or password
#[utoipa::path(
    patch,
    path = "/v1/me",
    tag = "Players",
    security(("bearer" = ["session"])),
    request_body = Changes,
    responses((status = 200, description = "You, from now on.", body = MyProfile), Forbidden, Conflict),
)]
pub async fn update_me(
    app: Data<App>,
    caller: Caller,
    address: Address,
    body: Body<Changes>,
) -> ApiResult<Json<MyProfile>> {
    let changes = body.value;
    let player = load(&app, caller).await?;
    let sensitive = changes.password.is_some() || changes.email != EmailChange::Keep;
    if sensitive {
        confirm(&app, &player, address, changes.current_password, "current_password").await?;
    }
    let becomes_account = changes.password.is_some() || player.password_hash.is_some();
    let name = changes.name.as_deref().map(valid_name).transpose()?;
    let name = name.unwrap_or_else(|| player.name.clone());
    let mut player = player.into_active_model();
    player.name_key = Set(becomes_account.then(|| name_key(&name)));
    player.name = Set(name);
    if let EmailChange::Set(email) = changes.email {
        player.email = Set(email.as_deref().map(valid_email).transpose()?);
    }
    if let Some(password) = changes.password {
        player.password_hash = Set(Some(passwords::hash(valid_password(password)?).await?));
        if player.account_since.as_ref().is_none() {
            player.account_since = Set(Some(app.clock.now().micros()));
        }
    }
    let player = player.update(&app.db).await.map_err(explain)?;
    app.names.forget(player.id);
    Ok(Json(player.into()))
}
