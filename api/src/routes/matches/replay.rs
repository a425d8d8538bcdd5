//! `GET /v1/matches/{id}/replay`

use actix_web::{
    HttpResponse,
    http::StatusCode,
    web::{Data, Path},
};
use domain::matches::Match;
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::viewpoint::{ViewerParam, Viewpoint};
use crate::{
    app::App,
    documents::Replay,
    error::{ApiResult, Forbidden, NotFound},
    http::{Address, IfNoneMatch, JSON, Params, ReadConsistency},
    middleware::{Endpoint, MaybeCaller},
};

/// Which version to replay, and for which viewer.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ReplayQuery {
    /// The version to replay; by default the current one.
    #[param(example = 6)]
    at: Option<u64>,
    /// The viewer: `seat` (your own seat), `spectator`, and once the match is over also `archive` (everything) or the number of
    /// any seat. The default is your own seat if you have one, and otherwise `spectator`.
    #[serde(rename = "as")]
    #[param(value_type = Option<String>, example = "spectator")]
    viewer: Option<ViewerParam>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_replay_match, replay_match)
}

/// Replay a match
///
/// The match as it was at a version. While the match is being played, you see what you could see then; hidden information of other
/// seats is shown only after the end. The replay of a finished match never changes.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/replay",
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ReplayQuery,
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The match at that version.", body = Replay,
         headers(("ETag" = String, description = "The version and the viewer."))),
        (status = 304, description = "The response has not changed."),
        Forbidden,
        NotFound,
    ),
)]
pub async fn replay_match(
    app: Data<App>,
    caller: MaybeCaller,
    address: Address,
    id: Path<Uuid>,
    consistency: ReadConsistency,
    query: Params<ReplayQuery>,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let ReplayQuery { at, viewer } = query.0;
    let viewpoint = Viewpoint::find(&app, *id, caller, consistency.0, at, viewer).await?;
    let tag = format!("\"{}\"", viewpoint.tag());
    let mut response = viewpoint.response(&tag, "Authorization");
    if known.has(&tag) {
        response.status(StatusCode::NOT_MODIFIED);
        return Ok(response.finish());
    }
    let (version, viewer) = (viewpoint.version, viewpoint.viewer);
    let replay = move |then: &Match| {
        serde_json::to_vec(&Replay::new(version, then, viewer)).expect("a replay is plain data")
    };
    Ok(response.content_type(JSON).body(viewpoint.show(&app, address, replay).await?))
}
