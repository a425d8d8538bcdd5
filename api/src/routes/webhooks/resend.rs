//! `POST /v1/webhooks/{id}/deliveries/{delivery}/resend`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::{DeliveryDocument, disabled, mine};
use service::webhooks::state;
use store::entities::webhook_delivery;

use crate::{
    app::App,
    error::{ApiError, ApiResult, Conflict, NotFound},
    middleware::Caller,
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_resend_delivery, resend_delivery)
}

/// Send a message again
///
/// Whatever has become of it: it is due now, under the same id, and is tried again ten times.
#[utoipa::path(
    post,
    path = "/v1/webhooks/{id}/deliveries/{delivery}/resend",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(
        ("id" = Uuid, Path, description = "The id of the webhook."),
        ("delivery" = Uuid, Path, description = "The id of the message."),
    ),
    responses((status = 202, description = "It is on its way.", body = DeliveryDocument), NotFound, Conflict),
)]
pub async fn resend_delivery(
    app: Data<App>,
    caller: Caller,
    path: Path<(Uuid, Uuid)>,
) -> ApiResult<HttpResponse> {
    let (id, delivery) = path.into_inner();
    let hook = mine(&app, caller, id).await?;
    if !hook.active {
        return Err(disabled());
    }
    let delivery = webhook_delivery::Entity::find_by_id(delivery)
        .filter(webhook_delivery::Column::WebhookId.eq(hook.id))
        .one(&app.db)
        .await?
        .ok_or_else(ApiError::not_found)?;
    let mut again: webhook_delivery::ActiveModel = delivery.into();
    again.state = Set(state::PENDING.to_owned());
    again.due_at = Set(Some(app.clock.now().micros()));
    again.tries = Set(0);
    let again = again.update(&app.db).await?;
    app.webhooks.nudge();
    Ok(HttpResponse::Accepted().json(DeliveryDocument::from(again)))
}
