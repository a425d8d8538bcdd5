//! `DELETE /v1/webhooks/{id}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiResult, NotFound},
    middleware::{Caller, Endpoint},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_delete_webhook, delete_webhook)
}

/// Delete a webhook
///
/// Its deliveries are deleted with it, including pending ones.
#[utoipa::path(
    delete,
    path = "/v1/webhooks/{id}",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("id" = Uuid, Path, description = "The id of the webhook.")),
    responses((status = 204, description = "The webhook is deleted."), NotFound),
)]
pub async fn delete_webhook(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
) -> ApiResult<HttpResponse> {
    app.webhooks.delete(&caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}
