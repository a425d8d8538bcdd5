//! `GET /v1/webhooks/{id}`

use actix_web::web::{Data, Json, Path};
use uuid::Uuid;

use crate::{
    app::App,
    documents::WebhookDocument,
    error::{ApiResult, NotFound},
    middleware::{Caller, Endpoint},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_webhook, get_webhook)
}

/// Get a webhook
#[utoipa::path(
    get,
    path = "/v1/webhooks/{id}",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("id" = Uuid, Path, description = "The id of the webhook.")),
    responses((status = 200, description = "The webhook.", body = WebhookDocument), NotFound),
)]
pub async fn get_webhook(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
) -> ApiResult<Json<WebhookDocument>> {
    Ok(Json(app.webhooks.find(&caller, *id).await?.into()))
}
