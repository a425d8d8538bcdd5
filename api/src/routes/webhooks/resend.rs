//! `POST /v1/webhooks/{id}/deliveries/{delivery}/resend`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use uuid::Uuid;

use crate::{
    app::App,
    documents::DeliveryDocument,
    error::{ApiResult, Conflict, NotFound},
    middleware::{Caller, Endpoint},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_resend_delivery, resend_delivery)
}

/// Resend a delivery
///
/// Requeues the delivery whatever its state, under the same id, with ten new attempts.
#[utoipa::path(
    post,
    path = "/v1/webhooks/{id}/deliveries/{delivery}/resend",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(
        ("id" = Uuid, Path, description = "The id of the webhook."),
        ("delivery" = Uuid, Path, description = "The id of the delivery."),
    ),
    responses((status = 202, description = "The delivery is queued.", body = DeliveryDocument), NotFound, Conflict),
)]
pub async fn resend_delivery(
    app: Data<App>,
    caller: Caller,
    path: Path<(Uuid, Uuid)>,
) -> ApiResult<HttpResponse> {
    let (id, delivery) = path.into_inner();
    let queued = app.webhooks.resend(&caller, id, delivery).await?;
    Ok(HttpResponse::Accepted().json(DeliveryDocument::try_from(queued)?))
}
