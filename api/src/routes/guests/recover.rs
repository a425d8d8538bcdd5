//! `POST /v1/guests/recover`

use actix_web::{HttpResponse, web::Data};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    documents::Session,
    error::ApiResult,
    http::{Body, Device},
    limits::RateClass,
    middleware::Endpoint,
};

/// The recovery code of a guest.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "recovery_code": "7KQ2M-XV9RD-3HNPA-WTF5C" }))]
pub struct RecoverGuestRequest {
    /// The code from the last response. Hyphens, spaces and the case of letters do not matter.
    #[schema(max_length = 100)]
    recovery_code: String,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_recover_guest, recover_guest).limited_as(RateClass::SignIn)
}

/// Recover a guest
///
/// Opens a session for the guest with this recovery code, on a new device for example. A code works once: the response contains
/// the next one. If the response gets lost, send the request again: for 15 minutes, the same code gets the same next one, unless
/// that has been used. Other sessions of the guest stay open. A guest who becomes an account has no code any more.
#[utoipa::path(
    post,
    path = "/v1/guests/recover",
    tag = "Players",
    request_body = RecoverGuestRequest,
    responses(
        (status = 201, description = "A session for the guest, and the next recovery code.", body = Session),
        (status = 401, description = "The code is wrong, or was used before (`wrong_recovery_code`).", body = crate::error::Problem, content_type = "application/problem+json"),
    ),
)]
pub async fn recover_guest(
    app: Data<App>,
    device: Device,
    body: Body<RecoverGuestRequest>,
) -> ApiResult<HttpResponse> {
    let session = app.accounts.recover(&body.value.recovery_code, &device.0).await?;
    Ok(HttpResponse::Created().json(Session::from(session)))
}
