//! `GET /v1/me`

use actix_web::{HttpResponse, web::Data};

use super::load;

use crate::{
    app::App,
    documents::MyProfile,
    error::ApiResult,
    http::{IfNoneMatch, Tagged},
    middleware::Caller,
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_me, get_me)
}

/// Who am I?
#[utoipa::path(
    get,
    path = "/v1/me",
    tag = "Players",
    security(("bearer" = ["account:read"])),
    params(("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have.")),
    responses(
        (status = 200, description = "You.", body = MyProfile,
         headers(("ETag" = String, description = "Made of the content."))),
        (status = 304, description = "You have it already."),
    ),
)]
pub async fn get_me(app: Data<App>, caller: Caller, known: IfNoneMatch) -> ApiResult<HttpResponse> {
    let profile = MyProfile::from(load(&app, caller).await?);
    Ok(Tagged::of(&profile).respond(&known, "private, no-cache", Some("Authorization")))
}
