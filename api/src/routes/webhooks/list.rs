//! `GET /v1/webhooks`

use actix_web::web::{Data, Json};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    app::App,
    documents::WebhookDocument,
    error::ApiResult,
    middleware::{Caller, Endpoint},
};

/// Your webhooks.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookList {
    /// All webhooks, oldest first.
    webhooks: Vec<WebhookDocument>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_webhooks, list_webhooks)
}

/// List your webhooks
#[utoipa::path(
    get,
    path = "/v1/webhooks",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    responses((status = 200, description = "All your webhooks.", body = WebhookList)),
)]
pub async fn list_webhooks(app: Data<App>, caller: Caller) -> ApiResult<Json<WebhookList>> {
    let webhooks = app.webhooks.list(&caller).await?;
    Ok(Json(WebhookList { webhooks: webhooks.into_iter().map(WebhookDocument::from).collect() }))
}
