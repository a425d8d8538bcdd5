//! `GET /v1/transparency/inclusion`

use actix_web::{HttpResponse, http::header, web::Data};
use domain::{
    proof::{self, InclusionProof, merkle::Hash},
    text::Text,
};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiError, ApiResult, NotFound},
    http::{Params, ReadConsistency},
    middleware::{Endpoint, MaybeCaller},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_inclusion, get_inclusion)
}

/// The match and the tree.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct InclusionQuery {
    /// The match, if you may see it; or `leaf`.
    #[serde(rename = "match")]
    #[param(rename = "match")]
    match_id: Option<Uuid>,
    /// The leaf in hexadecimal, as docs/proof.md computes it from a proof; or `match`.
    #[param(pattern = "^[0-9a-f]{64}$")]
    leaf: Option<String>,
    /// The size of the tree, which has to be that of a signed head; the current one by default.
    #[param(minimum = 1, example = 5)]
    size: Option<u64>,
}

/// Prove that a match is in the transparency log
///
/// Matches enter the log a moment after they have ended. Those that were imported from another server are not in it.
#[utoipa::path(
    get,
    path = "/v1/transparency/inclusion",
    tag = "Records",
    security((), ("bearer" = ["match:read"])),
    params(InclusionQuery),
    responses((status = 200, description = "The proof.", body = InclusionProof), NotFound),
)]
pub async fn get_inclusion(
    app: Data<App>,
    caller: MaybeCaller,
    query: Params<InclusionQuery>,
    consistency: ReadConsistency,
) -> ApiResult<HttpResponse> {
    let leaf = match (query.0.match_id, &query.0.leaf) {
        (Some(id), None) => {
            let m = app.visible_match(id, caller.player(), consistency.0).await?;
            if !m.status().is_over() {
                return Err(ApiError::not_in_log());
            }
            proof::leaf_of(&m)
        }
        (None, Some(digits)) => parse(digits)?,
        (Some(_), Some(_)) | (None, None) => {
            let text = Text::new(
                "Send either `match` or `leaf`.",
                "Envía `match` o `leaf`, pero no ambos.",
            );
            return Err(ApiError::bad_field("match", text));
        }
    };
    let proof = app.notary.inclusion(leaf, query.0.size).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .insert_header((header::VARY, "Authorization"))
        .json(proof))
}

fn parse(digits: &str) -> ApiResult<Hash> {
    let mut hash = [0; 32];
    match hex::decode_to_slice(digits, &mut hash) {
        Ok(()) if hex::encode(hash) == digits => Ok(hash),
        _ => Err(ApiError::bad_field(
            "leaf",
            Text::new(
                "`leaf` must be 64 lower-case hexadecimal digits.",
                "`leaf` debe tener 64 cifras hexadecimales en minúsculas.",
            ),
        )),
    }
}
