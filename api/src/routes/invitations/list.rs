//! `GET /v1/me/invitations`

use actix_web::web::{Data, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::App,
    documents::Invitation,
    error::ApiResult,
    http::{Cursor, Limit, Params},
    middleware::{Caller, Endpoint},
};

/// The page of invitations to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListInvitationsQuery {
    /// The number of invitations on a page; 50 by default.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Limit,
    /// The `next` of the previous page.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// A page of invitations, newest matches first.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvitationPage {
    /// The invitations.
    invitations: Vec<Invitation>,
    /// The `cursor` of the next page; `null` on the last page.
    next: Option<Uuid>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_invitations, list_invitations)
}

/// List your invitations
///
/// Your open invitations: to matches that have not started and in which you have no seat. Take a seat to accept one.
#[utoipa::path(
    get,
    path = "/v1/me/invitations",
    tag = "Matches",
    security(("bearer" = ["match:read"])),
    params(ListInvitationsQuery),
    responses((status = 200, description = "A page of invitations.", body = InvitationPage)),
)]
pub async fn list_invitations(
    app: Data<App>,
    caller: Caller,
    query: Params<ListInvitationsQuery>,
) -> ApiResult<Json<InvitationPage>> {
    let ListInvitationsQuery { limit, cursor } = query.0;
    let before = cursor.map(|cursor| cursor.0);
    let rows = app.invitations.open(caller.player, before, limit.and_one_more()).await?;
    let (rows, next) = limit.page(rows, |invitation| invitation.match_id);
    let invitations = Invitation::list(rows, &app.names, app.clock.now()).await?;
    Ok(Json(InvitationPage { invitations, next }))
}
