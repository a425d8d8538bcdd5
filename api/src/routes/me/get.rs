//! `GET /v1/me`

use actix_web::{
    get,
    web::{Data, Json},
};

use super::load;
use crate::{app::App, auth::Caller, error::ApiResult, routes::players::MyProfile};

/// Who am I?
#[utoipa::path(
    tag = "Players",
    security(("bearer" = [])),
    responses((status = 200, description = "You.", body = MyProfile)),
)]
#[get("/v1/me")]
pub async fn get_me(app: Data<App>, caller: Caller) -> ApiResult<Json<MyProfile>> {
    Ok(Json(load(&app, caller).await?.into()))
}
