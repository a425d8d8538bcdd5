//! `GET /v1/transparency/leaves`

use actix_web::{HttpResponse, http::header, web::Data};
use domain::text::Text;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    http::{Limit, Params},
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_leaves, list_leaves)
}

/// The part of the log to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LeavesQuery {
    /// The position of the first leaf.
    #[serde(default)]
    #[param(minimum = 0, default = 0)]
    start: u64,
    /// The number of leaves.
    #[serde(default)]
    #[param(inline, required = false)]
    limit: Limit,
}

/// Leaves of the transparency log.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeafPage {
    /// The position of the first leaf.
    start: u64,
    /// The leaves in hexadecimal, oldest first. They say nothing about a match to those who do not have its proof.
    leaves: Vec<String>,
    /// The `start` of the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
}

/// List the leaves of the transparency log
///
/// With all leaves you can compute the root of every tree head yourself.
#[utoipa::path(
    get,
    path = "/v1/transparency/leaves",
    tag = "Records",
    params(LeavesQuery),
    responses((status = 200, description = "A page of leaves.", body = LeafPage)),
)]
pub async fn list_leaves(app: Data<App>, query: Params<LeavesQuery>) -> ApiResult<HttpResponse> {
    let LeavesQuery { start, limit } = query.0;
    if i64::try_from(start).is_err() {
        let text = Text::new(
            "No log has this many leaves; use a smaller position.",
            "Ningún registro tiene tantas hojas; usa una posición menor.",
        );
        return Err(ApiError::bad_field("start", text));
    }
    let leaves = app.notary.leaves(start, limit.and_one_more()).await?;
    let (rows, next) = limit.page(leaves.iter().zip(start..).collect(), |(_, index)| index + 1);
    let leaves = rows.iter().map(|(leaf, _)| hex::encode(leaf)).collect();
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "public, no-cache"))
        .json(LeafPage { start, leaves, next }))
}
