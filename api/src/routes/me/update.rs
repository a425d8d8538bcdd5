//! `PATCH /v1/me`

use actix_web::web::{Data, Json};
use serde::Deserialize;
use service::identity::{EmailChange, ProfileChange};
use utoipa::ToSchema;

use super::with_password_field;

use crate::{
    app::App,
    documents::MyProfile,
    error::{ApiResult, Conflict, Forbidden},
    http::{Address, Body},
    middleware::{Caller, Endpoint},
};

/// Changes to your profile. Fields that are left out stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "name": "Ana María" }))]
pub struct UpdateMeRequest {
    /// A new name.
    #[schema(min_length = 2, max_length = 30)]
    name: Option<String>,
    /// A new e-mail address, or `null` to remove it.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 254)]
    email: EmailChange,
    /// A new password. It turns a guest into an account, whose name must then be unique.
    #[schema(min_length = 8, max_length = 128, format = Password)]
    password: Option<String>,
    /// The current password. An account needs it to change its password or e-mail address.
    #[schema(format = Password)]
    current_password: Option<String>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_update_me, update_me)
}

/// Update your profile
///
/// Changes your name, e-mail address or password. Upgrade a guest to an account by setting a password.
#[utoipa::path(
    patch,
    path = "/v1/me",
    tag = "Players",
    security(("bearer" = ["session"])),
    request_body = UpdateMeRequest,
    responses((status = 200, description = "Your changed profile.", body = MyProfile), Forbidden, Conflict),
)]
pub async fn update_me(
    app: Data<App>,
    caller: Caller,
    address: Address,
    body: Body<UpdateMeRequest>,
) -> ApiResult<Json<MyProfile>> {
    let UpdateMeRequest { name, email, password, current_password } = body.value;
    let change = ProfileChange { name, email, password, current_password };
    let player = app.accounts.update(caller.player, change, address.0).await;
    Ok(Json(player.map_err(with_password_field("current_password"))?.into()))
}
