//! `POST /v1/matches/{id}/invitations`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use service::live::Consistency;

use crate::{
    app::App,
    documents::Invitation,
    error::{ApiError, ApiResult, Conflict, Forbidden, NotFound, Unprocessable},
    http::Body,
    middleware::{Caller, Endpoint},
};

/// The invitation to send.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "player": "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10" }))]
pub struct CreateInvitationRequest {
    /// The id of the player to invite.
    player: Uuid,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_create_invitation, create_invitation)
}

/// Invite a player
///
/// You must have a seat in the match, and it must not have started. The invited player can see the match even if it is private,
/// and take a seat without its invite code. Inviting the same player again changes nothing. A match can have 50 open invitations.
#[utoipa::path(
    post,
    path = "/v1/matches/{id}/invitations",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(("id" = Uuid, Path, description = "The id of the match.")),
    request_body = CreateInvitationRequest,
    responses((status = 201, description = "The invitation.", body = Invitation), Forbidden, NotFound, Conflict, Unprocessable),
)]
pub async fn create_invitation(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
    body: Body<CreateInvitationRequest>,
) -> ApiResult<HttpResponse> {
    let now = app.clock.now();
    let m = app.visible_match(*id, Some(caller.player), Consistency::Store).await?;
    let invitation = app.invitations.invite(&m, caller.player, body.value.player, now).await?;
    let documents = Invitation::list(vec![invitation], &app.names, now).await?;
    let document = documents.into_iter().next().ok_or_else(ApiError::not_found)?;
    Ok(HttpResponse::Created().json(document))
}
