//! `GET /v1/transparency/tree-head`

use actix_web::{HttpResponse, http::header, web::Data};
use domain::proof::SignedHead;

use crate::{app::App, error::ApiResult, middleware::Endpoint};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_tree_head, get_tree_head)
}

/// Get the head of the transparency log
///
/// The log is an append-only Merkle tree (RFC 6962) over the last hashes of all matches that ended on this server. Keep heads that you
/// have seen, and compare them with those that others have seen: a server can rewrite its history only for clients that do not.
#[utoipa::path(
    get,
    path = "/v1/transparency/tree-head",
    tag = "Records",
    responses((status = 200, description = "The head, signed with a key of the use `proof`.", body = SignedHead)),
)]
pub async fn get_tree_head(app: Data<App>) -> ApiResult<HttpResponse> {
    let head = app.notary.tree_head().await?;
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "public, no-cache")).json(head))
}
