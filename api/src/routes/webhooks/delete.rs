//! `DELETE /v1/webhooks/{id}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::mine;
use store::entities::{webhook, webhook_delivery};

use crate::{
    app::App,
    error::{ApiResult, NotFound},
    middleware::Caller,
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_delete_webhook, delete_webhook)
}

/// Remove a webhook
///
/// What was not delivered yet never is, and its log is removed, too.
#[utoipa::path(
    delete,
    path = "/v1/webhooks/{id}",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("id" = Uuid, Path, description = "The id of the webhook.")),
    responses((status = 204, description = "It is removed."), NotFound),
)]
pub async fn delete_webhook(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
) -> ApiResult<HttpResponse> {
    let hook = mine(&app, caller, *id).await?;
    let work = store::begin(&app.db).await?;
    webhook_delivery::Entity::delete_many()
        .filter(webhook_delivery::Column::WebhookId.eq(hook.id))
        .exec(&work)
        .await?;
    webhook::Entity::delete_by_id(hook.id).exec(&work).await?;
    work.commit().await?;
    Ok(HttpResponse::NoContent().finish())
}
