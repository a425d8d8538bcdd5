//! `GET /v1/transparency/consistency`

use actix_web::{HttpResponse, http::header, web::Data};
use domain::proof::ConsistencyProof;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    app::App,
    error::{ApiResult, NotFound},
    http::Params,
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_consistency, get_consistency)
}

/// The trees to compare.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ConsistencyQuery {
    /// The size of the earlier tree.
    #[param(minimum = 0, example = 3)]
    first: u64,
    /// The size of the later tree, which has to be that of a signed head; the current one by default.
    #[param(minimum = 0, example = 5)]
    second: Option<u64>,
}

/// Prove that the transparency log was only appended to
///
/// `telar audit` and docs/proof.md say how to check it against a head that you have kept.
#[utoipa::path(
    get,
    path = "/v1/transparency/consistency",
    tag = "Records",
    params(ConsistencyQuery),
    responses((status = 200, description = "The proof.", body = ConsistencyProof), NotFound),
)]
pub async fn get_consistency(
    app: Data<App>,
    query: Params<ConsistencyQuery>,
) -> ApiResult<HttpResponse> {
    let proof = app.notary.consistency(query.0.first, query.0.second).await?;
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "public, no-cache")).json(proof))
}
