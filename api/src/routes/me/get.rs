//! `GET /v1/me`

use actix_web::{HttpResponse, web::Data};

use crate::{
    app::App,
    documents::MyProfile,
    error::{ApiError, ApiResult},
    http::{IfNoneMatch, Tagged},
    middleware::{Caller, Endpoint},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_me, get_me)
}

/// Get your profile
#[utoipa::path(
    get,
    path = "/v1/me",
    tag = "Players",
    security(("bearer" = ["account:read"])),
    params(("If-None-Match" = Option<String>, Header, description = "The `ETag` of the copy that you have.")),
    responses(
        (status = 200, description = "Your profile.", body = MyProfile,
         headers(("ETag" = String, description = "A digest of the content."))),
        (status = 304, description = "Your copy is up to date."),
    ),
)]
pub async fn get_me(app: Data<App>, caller: Caller, known: IfNoneMatch) -> ApiResult<HttpResponse> {
    let player = app.accounts.find(caller.player).await?.ok_or_else(ApiError::player_gone)?;
    let profile = MyProfile::from(player);
    Ok(Tagged::of(&profile).respond(&known, "private, no-cache", Some("Authorization")))
}
