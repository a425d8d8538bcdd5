//! `POST /v1/webhooks/{id}/test`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use uuid::Uuid;

use crate::{
    app::App,
    documents::DeliveryDocument,
    error::{ApiResult, Conflict, NotFound},
    middleware::Caller,
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_test_webhook, test_webhook)
}

/// Send a test message
///
/// Sends a message of type `ping`, which is delivered like any other.
#[utoipa::path(
    post,
    path = "/v1/webhooks/{id}/test",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("id" = Uuid, Path, description = "The id of the webhook.")),
    responses((status = 202, description = "The message is queued. See its deliveries for the result.", body = DeliveryDocument), NotFound, Conflict),
)]
pub async fn test_webhook(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
) -> ApiResult<HttpResponse> {
    let queued = app.webhooks.test(&caller, *id).await?;
    Ok(HttpResponse::Accepted().json(DeliveryDocument::try_from(queued)?))
}
