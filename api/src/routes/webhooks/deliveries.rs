//! `GET /v1/webhooks/{id}/deliveries`

use actix_web::web::{Data, Json, Path};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::App,
    documents::{DeliveryDocument, DeliveryState},
    error::{ApiResult, NotFound},
    http::{Cursor, Limit, Params},
    middleware::{Caller, Endpoint},
};

/// The page of deliveries to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListDeliveriesQuery {
    /// Only deliveries in this state; `dead` for dead letters.
    state: Option<DeliveryState>,
    /// The number of deliveries on a page; 50 by default.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Limit,
    /// The `next` of the previous page.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// A page of deliveries, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryPage {
    /// The deliveries.
    deliveries: Vec<DeliveryDocument>,
    /// The `cursor` of the next page; `null` on the last page.
    next: Option<Uuid>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_deliveries, list_deliveries)
}

/// List the deliveries of a webhook
///
/// Newest first. Completed deliveries are kept for 30 days.
#[utoipa::path(
    get,
    path = "/v1/webhooks/{id}/deliveries",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("id" = Uuid, Path, description = "The id of the webhook."), ListDeliveriesQuery),
    responses((status = 200, description = "A page of deliveries.", body = DeliveryPage), NotFound),
)]
pub async fn list_deliveries(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
    query: Params<ListDeliveriesQuery>,
) -> ApiResult<Json<DeliveryPage>> {
    let ListDeliveriesQuery { state, limit, cursor } = query.0;
    let (state, before) = (state.map(DeliveryState::id), cursor.map(|cursor| cursor.0));
    let limit_and_one = limit.and_one_more();
    let rows = app.webhooks.deliveries(&caller, *id, state, before, limit_and_one).await?;
    let (rows, next) = limit.page(rows, |delivery| delivery.id);
    let deliveries = rows.into_iter().map(DeliveryDocument::try_from);
    Ok(Json(DeliveryPage { deliveries: deliveries.collect::<Result<_, _>>()?, next }))
}
