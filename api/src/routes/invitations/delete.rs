//! `DELETE /v1/matches/{id}/invitations/{player}`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use serde::Deserialize;
use uuid::Uuid;

use store::entities::invitation::{Column, Entity};

use crate::{
    app::App,
    error::{ApiError, ApiResult, NotFound},
    middleware::Caller,
    middleware::Endpoint,
};

/// Whose invitation.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub enum Invited {
    /// The caller's own.
    Me,
    /// Somebody else's.
    Player(Uuid),
}

impl TryFrom<String> for Invited {
    type Error = uuid::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text == "me" { Ok(Self::Me) } else { text.parse().map(Self::Player) }
    }
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_delete_invitation, delete_invitation)
}

/// Decline an invitation, or take one back
///
/// `me` declines your own invitation; the id of a player takes back the one that you have given to that player.
#[utoipa::path(
    delete,
    path = "/v1/matches/{id}/invitations/{player}",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("player" = String, Path, description = "`me`, or the id of a player whom you have invited.", example = "me"),
    ),
    responses((status = 204, description = "The invitation is gone."), NotFound),
)]
pub async fn delete_invitation(
    app: Data<App>,
    caller: Caller,
    path: Path<(Uuid, Invited)>,
) -> ApiResult<HttpResponse> {
    let (id, invited) = path.into_inner();
    let rows = Entity::delete_many().filter(Column::MatchId.eq(id));
    let rows = match invited {
        Invited::Player(player) if player != caller.player => {
            rows.filter(Column::PlayerId.eq(player)).filter(Column::InvitedBy.eq(caller.player))
        }
        Invited::Me | Invited::Player(_) => rows.filter(Column::PlayerId.eq(caller.player)),
    };
    if rows.exec(&app.db).await?.rows_affected == 0 {
        return Err(ApiError::not_found());
    }
    Ok(HttpResponse::NoContent().finish())
}
