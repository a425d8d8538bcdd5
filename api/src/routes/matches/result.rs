//! `GET /v1/matches/{id}/result`

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path},
};
use domain::{matches::Unrated, text::Text};
use service::statistics::Statistics;
use uuid::Uuid;

use crate::{
    app::App,
    documents::{MatchResult, SeatRating},
    error::{ApiError, ApiResult, Conflict, NotFound},
    http::ReadConsistency,
    middleware::{Endpoint, MaybeCaller},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_result, get_result)
}

/// Get the result of a match
///
/// Places, scores and rating changes.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/result",
    tag = "Statistics",
    security((), ("bearer" = ["match:read"])),
    params(("id" = Uuid, Path, description = "The id of the match.")),
    responses((status = 200, description = "The result.", body = MatchResult), NotFound, Conflict),
)]
pub async fn get_result(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    consistency: ReadConsistency,
) -> ApiResult<HttpResponse> {
    let m = app.visible_match(*id, caller.player(), consistency.0).await?;
    if !m.status().is_over() {
        return Err(ApiError::new(
            StatusCode::CONFLICT,
            "match_not_over",
            Text::new(
                "The match is not over, so there is no result yet.",
                "La partida no ha terminado, así que aún no hay resultado.",
            ),
        )
        .version(m.version()));
    }
    let result = Statistics::now(&app.db).await?.result(*id, m.updated_at()).await?;
    let counted = result.is_some();
    let (reason, changes) = result.unwrap_or((None, Vec::new()));
    let unrated_because = reason.as_deref().and_then(Unrated::find);
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .insert_header((header::VARY, "Authorization"))
        .json(MatchResult {
            id: *id,
            status: m.status(),
            outcome: m.outcome().cloned(),
            counted,
            rated: counted.then_some(unrated_because.is_none()),
            unrated_because,
            ratings: changes.into_iter().map(SeatRating::from).collect(),
        }))
}
