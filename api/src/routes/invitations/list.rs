//! `GET /v1/me/invitations`

use actix_web::web::{Data, Json};
use domain::matches::Status;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use store::entities::{invitation, match_seat, match_summary};

use crate::{
    app::App,
    documents::Invitation,
    error::ApiResult,
    http::{Cursor, Limit, Params},
    middleware::Caller,
    middleware::Endpoint,
};

/// Which page is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Page {
    /// How many; 50 if left out.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Limit,
    /// `next` of the page before.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// A page of invitations, to the newest matches first.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvitationPage {
    /// The invitations.
    invitations: Vec<Invitation>,
    /// The `cursor` of the next page; `null` on the last one.
    next: Option<Uuid>,
}

/// The open invitations of a player: to matches that have not started and in which the player does not sit.
fn open(player: Uuid) -> Select<invitation::Entity> {
    let open = match_summary::Entity::find()
        .select_only()
        .column(match_summary::Column::Id)
        .filter(match_summary::Column::Status.eq(Status::Open.id()));
    let seated = match_seat::Entity::find()
        .select_only()
        .column(match_seat::Column::MatchId)
        .filter(match_seat::Column::PlayerId.eq(player));
    invitation::Entity::find()
        .filter(invitation::Column::PlayerId.eq(player))
        .filter(invitation::Column::MatchId.in_subquery(open.into_query()))
        .filter(invitation::Column::MatchId.not_in_subquery(seated.into_query()))
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_list_invitations, list_invitations)
}

/// Where am I invited?
///
/// Invitations to matches that have not started. Take a seat to accept one.
#[utoipa::path(
    get,
    path = "/v1/me/invitations",
    tag = "Matches",
    security(("bearer" = ["match:read"])),
    params(Page),
    responses((status = 200, description = "A page of invitations.", body = InvitationPage)),
)]
pub async fn list_invitations(
    app: Data<App>,
    caller: Caller,
    page: Params<Page>,
) -> ApiResult<Json<InvitationPage>> {
    let limit = page.0.limit.get();
    let mut rows = open(caller.player);
    if let Some(cursor) = page.0.cursor {
        rows = rows.filter(invitation::Column::MatchId.lt(cursor.0));
    }
    let mut rows =
        rows.order_by_desc(invitation::Column::MatchId).limit(limit + 1).all(&app.db).await?;
    let more = rows.len() > usize::try_from(limit).unwrap_or(usize::MAX);
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next = rows.last().filter(|_| more).map(|row| row.match_id);
    Ok(Json(InvitationPage {
        invitations: Invitation::list(rows, &app.names, app.clock.now()).await?,
        next,
    }))
}
