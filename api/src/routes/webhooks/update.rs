//! `PATCH /v1/webhooks/{id}`

use actix_web::web::{Data, Json, Path};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{Set, Unchanged},
};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{WebhookDocument, mine, valid_events, valid_url};
use service::notifications::NotificationKind;
use store::entities::webhook;

use crate::{
    app::App,
    error::{ApiResult, NotFound},
    http::Body,
    middleware::Caller,
    middleware::Endpoint,
};

/// What is to change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "active": true }))]
pub struct WebhookChange {
    /// Where to send messages from now on.
    #[schema(max_length = 2000)]
    url: Option<String>,
    /// What to send from now on.
    #[schema(min_items = 1)]
    events: Option<Vec<NotificationKind>>,
    /// Whether to send anything. While it is not active, nothing is kept for later.
    active: Option<bool>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_update_webhook, update_webhook)
}

/// Change a webhook
#[utoipa::path(
    patch,
    path = "/v1/webhooks/{id}",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("id" = Uuid, Path, description = "The id of the webhook.")),
    request_body = WebhookChange,
    responses((status = 200, description = "The webhook.", body = WebhookDocument), NotFound),
)]
pub async fn update_webhook(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
    body: Body<WebhookChange>,
) -> ApiResult<Json<WebhookDocument>> {
    let hook = mine(&app, caller, *id).await?;
    let change = body.value;
    let mut update = webhook::ActiveModel {
        id: Unchanged(hook.id),
        updated_at: Set(app.clock.now().micros()),
        ..Default::default()
    };
    if let Some(url) = change.url {
        update.url = Set(valid_url(&app, &url).await?);
    }
    if let Some(events) = change.events {
        update.events = Set(valid_events(&events)?);
    }
    if let Some(active) = change.active {
        update.active = Set(active);
        update.notice = Set(None);
    }
    Ok(Json(update.update(&app.db).await?.into()))
}
