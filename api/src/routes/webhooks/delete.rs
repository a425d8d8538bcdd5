//! `DELETE /v1/webhooks/{id}`

use actix_web::{
    HttpResponse, delete,
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
};

/// Remove a webhook
///
/// What was not delivered yet never is, and its log is removed, too.
#[utoipa::path(
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("id" = Uuid, Path, description = "The id of the webhook.")),
    responses((status = 204, description = "It is removed."), NotFound),
)]
#[delete("/v1/webhooks/{id}")]
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
