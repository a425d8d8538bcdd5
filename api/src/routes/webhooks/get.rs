//! `GET /v1/webhooks/{id}`

use actix_web::{
    get,
    web::{Data, Json, Path},
};
use uuid::Uuid;

use super::{WebhookDocument, mine};

use crate::{
    app::App,
    error::{ApiResult, NotFound},
    middleware::Caller,
};

/// A webhook of yours
#[utoipa::path(
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("id" = Uuid, Path, description = "The id of the webhook.")),
    responses((status = 200, description = "The webhook.", body = WebhookDocument), NotFound),
)]
#[get("/v1/webhooks/{id}")]
pub async fn get_webhook(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
) -> ApiResult<Json<WebhookDocument>> {
    Ok(Json(mine(&app, caller, *id).await?.into()))
}
