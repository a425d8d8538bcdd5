//! `GET /v1/me/sessions`

use actix_web::web::{Data, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::App,
    documents::ListedSession,
    error::ApiResult,
    http::{Cursor, Limit, Params},
    middleware::{Caller, Endpoint},
};

/// The page of sessions to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListSessionsQuery {
    /// The number of sessions on a page; 50 by default.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Limit,
    /// The `next` of the previous page.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// A page of sessions, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionPage {
    /// The sessions.
    sessions: Vec<ListedSession>,
    /// The `cursor` of the next page; `null` on the last page.
    next: Option<Uuid>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_sessions, list_sessions)
}

/// List your sessions
///
/// Where you are logged in: the device, its address, and when it last got tokens. Sessions that have ended are not listed, nor
/// those that have not been refreshed for 60 days.
#[utoipa::path(
    get,
    path = "/v1/me/sessions",
    tag = "Sessions",
    security(("bearer" = ["session"])),
    params(ListSessionsQuery),
    responses((status = 200, description = "A page of sessions.", body = SessionPage)),
)]
pub async fn list_sessions(
    app: Data<App>,
    caller: Caller,
    query: Params<ListSessionsQuery>,
) -> ApiResult<Json<SessionPage>> {
    let ListSessionsQuery { limit, cursor } = query.0;
    let (before, now) = (cursor.map(|cursor| cursor.0), app.clock.now());
    let sessions = &app.accounts.sessions;
    let rows = sessions.list(caller.player, before, limit.and_one_more(), now).await?;
    let (rows, next) = limit.page(rows, |session| session.id);
    let document = |session| ListedSession::new(session, caller.session);
    Ok(Json(SessionPage { sessions: rows.into_iter().map(document).collect(), next }))
}
