//! `POST /v1/webhooks/{id}/test`

use actix_web::{
    HttpResponse, post,
    web::{Data, Path},
};
use sea_orm::ActiveModelTrait;
use serde_json::json;
use uuid::Uuid;

use super::{DeliveryDocument, disabled, mine};
use crate::{
    app::App,
    auth::Caller,
    clock,
    error::{ApiResult, Conflict, NotFound},
    webhooks::{Payload, delivery},
};

/// Send a test message
///
/// A message of the type `ping`, delivered like every other one.
#[utoipa::path(
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("id" = Uuid, Path, description = "The id of the webhook.")),
    responses((status = 202, description = "It is on its way; see the deliveries.", body = DeliveryDocument), NotFound, Conflict),
)]
#[post("/v1/webhooks/{id}/test")]
pub async fn test_webhook(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
) -> ApiResult<HttpResponse> {
    let hook = mine(&app, caller, *id).await?;
    if !hook.active {
        return Err(disabled());
    }
    let data = json!({ "webhook": hook.id });
    let timestamp = clock::to_datetime(clock::now());
    let ping = delivery(&hook, &Payload { kind: "ping", timestamp, data: &data });
    let ping = ping.insert(&app.db).await?;
    app.webhooks.nudge();
    Ok(HttpResponse::Accepted().json(DeliveryDocument::from(ping)))
}
