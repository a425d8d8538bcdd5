//! `POST /v1/matches/{id}/invitations`

use actix_web::{
    HttpResponse,
    http::StatusCode,
    web::{Data, Path},
};
use domain::{
    game::Refusal,
    matches::{Match, MatchRefusal, Refused, Status},
    text::Text,
};
use sea_orm::EntityTrait;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{MOST, count, invite};
use service::live::Consistency;
use store::entities::{invitation, player};

use crate::{
    app::App,
    documents::Invitation,
    error::{ApiError, ApiResult, Conflict, Forbidden, NotFound, Unprocessable},
    http::Body,
    middleware::Caller,
    middleware::Endpoint,
};

/// Whom to invite.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "player": "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10" }))]
pub struct NewInvitation {
    /// The id of the player.
    player: Uuid,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_create_invitation, create_invitation)
}

/// Invite a player
///
/// For those who sit in a match that has not started. The invited player may see the match even if it is private, and take a
/// seat without its invite code. Inviting somebody again changes nothing.
#[utoipa::path(
    post,
    path = "/v1/matches/{id}/invitations",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(("id" = Uuid, Path, description = "The id of the match.")),
    request_body = NewInvitation,
    responses((status = 201, description = "The invitation.", body = Invitation), Forbidden, NotFound, Conflict, Unprocessable),
)]
pub async fn create_invitation(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
    body: Body<NewInvitation>,
) -> ApiResult<HttpResponse> {
    let table = app.visible_match(*id, Some(caller.player), Consistency::Store).await?;
    let invited = body.value.player;
    check(&table, caller.player, invited)?;
    if player::Entity::find_by_id(invited).one(&app.db).await?.is_none() {
        let text = Text::new("There is no such player.", "No existe esa persona.");
        let error = ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "no_such_player", text);
        return Err(error.field("player"));
    }
    if !app.is_invited(*id, invited).await? {
        if count(&app, *id).await? >= MOST {
            return Err(too_many());
        }
        invite(&app, *id, caller.player, &[invited], app.clock.now()).await?;
    }
    let row = invitation::Entity::find_by_id((*id, invited)).one(&app.db).await?;
    let documents =
        Invitation::list(row.into_iter().collect(), &app.names, app.clock.now()).await?;
    let document = documents.into_iter().next().ok_or_else(ApiError::not_found)?;
    Ok(HttpResponse::Created().json(document))
}

fn check(table: &Match, me: Uuid, invited: Uuid) -> ApiResult<()> {
    let refuse = |refusal| Err(ApiError::refused(Refused::Match(refusal), table.game().info().key));
    if table.seat_of(me).is_none() {
        return refuse(MatchRefusal::NotSeated);
    }
    match table.status() {
        Status::Open => {}
        Status::Playing => return refuse(MatchRefusal::AlreadyStarted),
        Status::Finished | Status::Abandoned => return refuse(MatchRefusal::MatchOver),
    }
    if table.seat_of(invited).is_some() {
        let text = Text::new(
            "That player sits in this match already.",
            "Esa persona ya está en esta partida.",
        );
        let code = MatchRefusal::AlreadySeated.info().code;
        return Err(ApiError::new(StatusCode::CONFLICT, code, text).field("player"));
    }
    Ok(())
}

fn too_many() -> ApiError {
    ApiError::new(
        StatusCode::CONFLICT,
        "too_many_invitations",
        Text::new(
            "At most 50 players are invited to a match at a time; take an invitation back first.",
            "Se invita como mucho a 50 personas a la vez; retira antes una invitación.",
        ),
    )
}
