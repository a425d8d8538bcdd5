//! `GET /v1/webhooks`

use actix_web::web::{Data, Json};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use serde::Serialize;
use utoipa::ToSchema;

use super::WebhookDocument;
use store::entities::webhook;

use crate::{app::App, error::ApiResult, middleware::Caller, middleware::Endpoint};

/// Your webhooks.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookList {
    /// All of them, oldest first.
    webhooks: Vec<WebhookDocument>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_list_webhooks, list_webhooks)
}

/// Your webhooks
#[utoipa::path(
    get,
    path = "/v1/webhooks",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    responses((status = 200, description = "All your webhooks.", body = WebhookList)),
)]
pub async fn list_webhooks(app: Data<App>, caller: Caller) -> ApiResult<Json<WebhookList>> {
    let hooks = webhook::Entity::find()
        .filter(webhook::Column::PlayerId.eq(caller.player))
        .order_by_asc(webhook::Column::Id)
        .all(&app.db)
        .await?;
    Ok(Json(WebhookList { webhooks: hooks.into_iter().map(WebhookDocument::from).collect() }))
}
