//! `PATCH /v1/webhooks/{id}`

use actix_web::web::{Data, Json, Path};
use serde::Deserialize;
use service::{notifications::NotificationKind, webhooks::RegistrationChange};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    documents::WebhookDocument,
    error::{ApiResult, NotFound},
    http::Body,
    middleware::{Caller, Endpoint},
};

/// Changes to a webhook. Fields that are left out stay as they are.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "active": true }))]
pub struct UpdateWebhookRequest {
    /// A new URL.
    #[schema(max_length = 2000)]
    url: Option<String>,
    /// The notifications to send from now on.
    #[schema(min_items = 1)]
    events: Option<Vec<NotificationKind>>,
    /// Switches the webhook on or off. Notifications are not collected while it is off.
    active: Option<bool>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_update_webhook, update_webhook)
}

/// Update a webhook
#[utoipa::path(
    patch,
    path = "/v1/webhooks/{id}",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("id" = Uuid, Path, description = "The id of the webhook.")),
    request_body = UpdateWebhookRequest,
    responses((status = 200, description = "The changed webhook.", body = WebhookDocument), NotFound),
)]
pub async fn update_webhook(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
    body: Body<UpdateWebhookRequest>,
) -> ApiResult<Json<WebhookDocument>> {
    let UpdateWebhookRequest { url, events, active } = body.value;
    let change = RegistrationChange { url, events, active };
    Ok(Json(app.webhooks.update(&caller, *id, change).await?.into()))
}
