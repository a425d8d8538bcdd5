//! `POST /v1/webhooks/{id}/test`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use sea_orm::{ActiveModelTrait, IntoActiveModel};
use serde_json::json;
use uuid::Uuid;

use super::{DeliveryDocument, disabled, mine};
use service::webhooks::{Payload, delivery};

use crate::{
    app::App,
    error::{ApiResult, Conflict, NotFound},
    middleware::Caller,
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_test_webhook, test_webhook)
}

/// Send a test message
///
/// A message of the type `ping`, delivered like every other one.
#[utoipa::path(
    post,
    path = "/v1/webhooks/{id}/test",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("id" = Uuid, Path, description = "The id of the webhook.")),
    responses((status = 202, description = "It is on its way; see the deliveries.", body = DeliveryDocument), NotFound, Conflict),
)]
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
    let timestamp = app.clock.datetime();
    let ping = delivery(&hook, &Payload { kind: "ping", timestamp, data: &data }, app.clock.now());
    let ping = ping.into_active_model().insert(&app.db).await?;
    app.webhooks.nudge();
    Ok(HttpResponse::Accepted().json(DeliveryDocument::from(ping)))
}
