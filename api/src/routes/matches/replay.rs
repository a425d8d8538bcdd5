//! `GET /v1/matches/{id}/replay`

use actix_web::{
    HttpResponse,
    http::StatusCode,
    web::{Data, Path},
};
use domain::{matches::Status, seat::Seat};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::moment::{Eyes, Moment};
use service::clock;

use crate::{
    app::App,
    error::{ApiResult, Forbidden, NotFound},
    http::{IfNoneMatch, Params, ReadConsistency},
    middleware::Endpoint,
    middleware::MaybeCaller,
    openapi::AnyView,
};

/// Which moment, and through whose eyes.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Asked {
    /// The version to look at; the current one if left out.
    #[param(example = 6)]
    at: Option<u64>,
    /// Through whose eyes: `seat` (your own), `spectator`, and once the match is over also `archive` (everything) or the
    /// number of any seat. Your seat if you have one, else `spectator`, if left out.
    #[serde(rename = "as")]
    #[param(value_type = Option<String>, example = "spectator")]
    eyes: Option<Eyes>,
}

/// A match as it was.
#[derive(Debug, Serialize, ToSchema)]
pub struct Replay {
    /// Which version this is.
    #[schema(example = 6)]
    version: u64,
    /// When it came about.
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
    /// Where the match stood.
    status: Status,
    /// The seats that the match waited for.
    to_act: Vec<Seat>,
    /// What was to be seen of the game; `null` before it started.
    #[schema(value_type = Option<AnyView>)]
    view: Option<Box<RawValue>>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_replay_match, replay_match)
}

/// The match as it was at a version
///
/// While the match is being played you see what you could see then; others' secrets are shown only after the end.
/// The replay of a finished match never changes.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/replay",
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        Asked,
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "The match as it was.", body = Replay,
         headers(("ETag" = String, description = "The version and the viewer."))),
        (status = 304, description = "You have it already."),
        Forbidden,
        NotFound,
    ),
)]
pub async fn replay_match(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    fresh: ReadConsistency,
    asked: Params<Asked>,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let Asked { at, eyes } = asked.0;
    let moment = Moment::find(&app, *id, caller, fresh.0, at, eyes).await?;
    let tag = format!("\"{}\"", moment.tag());
    let mut response = moment.response(&tag, "Authorization");
    if known.has(&tag) {
        response.status(StatusCode::NOT_MODIFIED);
        return Ok(response.finish());
    }
    let then = moment.load(&app).await?;
    Ok(response.json(Replay {
        version: moment.version,
        at: clock::to_datetime(then.updated_at()),
        status: then.status(),
        to_act: then.to_act().iter().collect(),
        view: then.view(moment.viewer),
    }))
}
