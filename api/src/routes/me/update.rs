//! `PATCH /v1/me`

use actix_web::web::{Data, Json};
use serde::Deserialize;
use service::identity::{EmailChange, ProfileChange};
use utoipa::ToSchema;
use uuid::Uuid;

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
    /// A new name. No other account has one that looks like it.
    #[schema(min_length = 2, max_length = 30)]
    name: Option<String>,
    /// A new e-mail address, or `null` to remove it.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 254)]
    email: EmailChange,
    /// A new password: not a common one, nor your name or e-mail address. It turns a guest into an account, whose name must then
    /// be unique.
    #[schema(min_length = 8, max_length = 128, format = Password)]
    password: Option<String>,
    /// The current password. An account needs it to change its password or e-mail address.
    #[schema(format = Password)]
    current_password: Option<String>,
    /// With a new password: the ids of the personal access tokens that stay valid. All others are revoked.
    #[serde(default)]
    #[schema(max_items = 50)]
    keep_tokens: Vec<Uuid>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_update_me, update_me)
}

/// Update your profile
///
/// Changes your name, e-mail address or password. Upgrade a guest to an account by setting a password.
///
/// A new password ends all your other sessions and revokes your personal access tokens, except those in `keep_tokens`. They stop
/// working at once, at other replicas within a second.
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
    let UpdateMeRequest { name, email, password, current_password, keep_tokens } = body.value;
    let change = ProfileChange { name, email, password, current_password, keep_tokens };
    let player = app.accounts.update(caller.player, caller.session, change, address.0).await;
    Ok(Json(player.map_err(with_password_field("current_password"))?.into()))
}
