//! `GET /v1/webhooks/{id}/deliveries`

use actix_web::web::{Data, Json, Path};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{DeliveryDocument, DeliveryState, mine};
use store::entities::webhook_delivery;

use crate::{
    app::App,
    error::{ApiResult, NotFound},
    http::{Cursor, Limit, Params},
    middleware::Caller,
    middleware::Endpoint,
};

/// Which messages are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeliveryFilter {
    /// Only those of which this has become; `dead` for dead letters.
    state: Option<DeliveryState>,
    /// How many; 50 if left out.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Limit,
    /// `next` of the page before.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// A page of messages, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryPage {
    /// The messages.
    deliveries: Vec<DeliveryDocument>,
    /// The `cursor` of the next page; `null` on the last one.
    next: Option<Uuid>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_list_deliveries, list_deliveries)
}

/// What was sent to a webhook
///
/// Newest first. What is done with is kept for 30 days.
#[utoipa::path(
    get,
    path = "/v1/webhooks/{id}/deliveries",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("id" = Uuid, Path, description = "The id of the webhook."), DeliveryFilter),
    responses((status = 200, description = "A page of messages.", body = DeliveryPage), NotFound),
)]
pub async fn list_deliveries(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
    filter: Params<DeliveryFilter>,
) -> ApiResult<Json<DeliveryPage>> {
    use webhook_delivery::Column;
    let hook = mine(&app, caller, *id).await?;
    let filter = filter.0;
    let limit = filter.limit.get();
    let condition = Condition::all()
        .add(Column::WebhookId.eq(hook.id))
        .add_option(filter.state.map(|state| Column::State.eq(state.id())))
        .add_option(filter.cursor.map(|cursor| Column::Id.lt(cursor.0)));
    let mut rows = webhook_delivery::Entity::find()
        .filter(condition)
        .order_by_desc(Column::Id)
        .limit(limit + 1)
        .all(&app.db)
        .await?;
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = rows.len() > most;
    rows.truncate(most);
    let next = rows.last().filter(|_| more).map(|row| row.id);
    let deliveries = rows.into_iter().map(DeliveryDocument::from).collect();
    Ok(Json(DeliveryPage { deliveries, next }))
}
