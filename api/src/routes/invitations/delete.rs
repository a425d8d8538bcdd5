//! `DELETE /v1/matches/{id}/invitations/{player}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use serde::Deserialize;
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiError, ApiResult, NotFound},
    middleware::{Caller, Endpoint},
};

/// The invited player in the path.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub enum Invitee {
    /// The caller.
    Me,
    /// The player with this id.
    Player(Uuid),
}

impl TryFrom<String> for Invitee {
    type Error = uuid::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text == "me" { Ok(Self::Me) } else { text.parse().map(Self::Player) }
    }
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_delete_invitation, delete_invitation)
}

/// Decline or withdraw an invitation
///
/// `me` declines your own invitation; the id of a player withdraws the one that you sent to that player.
#[utoipa::path(
    delete,
    path = "/v1/matches/{id}/invitations/{player}",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("player" = String, Path, description = "`me`, or the id of a player whom you have invited.", example = "me"),
    ),
    responses((status = 204, description = "The invitation is deleted."), NotFound),
)]
pub async fn delete_invitation(
    app: Data<App>,
    caller: Caller,
    path: Path<(Uuid, Invitee)>,
) -> ApiResult<HttpResponse> {
    let (id, invitee) = path.into_inner();
    let deleted = match invitee {
        Invitee::Player(player) if player != caller.player => {
            app.invitations.withdraw(id, caller.player, player).await?
        }
        Invitee::Me | Invitee::Player(_) => app.invitations.decline(id, caller.player).await?,
    };
    if !deleted {
        return Err(ApiError::not_found());
    }
    Ok(HttpResponse::NoContent().finish())
}
