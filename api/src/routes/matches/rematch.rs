//! `POST /v1/matches/{id}/rematch`

use std::sync::Arc;

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use domain::{
    matches::{Command, Create, Match, MatchRefusal, Refused, Status, Visibility},
    seat::Seat,
    time::Timestamp,
};
use uuid::Uuid;

use super::{MatchDocument, created, document, visible};
use service::{
    clock,
    live::{CommandContext, Consistency, Executed},
    secret,
};

use crate::{
    app::App,
    error::{ApiError, ApiResult, Conflict, Forbidden, NotFound},
    middleware::Endpoint,
    middleware::{Caller, MaybeCaller},
    routes::invitations::invite,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_rematch, rematch)
}

/// Play again
///
/// For the players of a finished match. The first who asks opens a new match with the same game, options, seats, visibility and
/// time limit; the others are invited to it, and sit down there by asking too. Everybody gets the seat that they had, if it is
/// free.
#[utoipa::path(
    post,
    path = "/v1/matches/{id}/rematch",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(("id" = Uuid, Path, description = "The id of the finished match.")),
    responses(
        (status = 200, description = "The rematch was open already; you sit in it.", body = MatchDocument,
         headers(("ETag" = String, description = "The version, and a digest of the names of the players."))),
        (status = 201, description = "The rematch, which you have opened.", body = MatchDocument,
         headers(("ETag" = String, description = "The version, and a digest of the names of the players."), ("Location" = String, description = "Where the match is."))),
        Forbidden, NotFound, Conflict,
    ),
)]
pub async fn rematch(app: Data<App>, caller: Caller, id: Path<Uuid>) -> ApiResult<HttpResponse> {
    let before = visible(&app, *id, MaybeCaller(Some(caller)), Consistency::Store).await?;
    let refuse = |refusal| ApiError::refused(Refused::Match(refusal), before.game().info().key);
    if before.status() != Status::Finished {
        return Err(refuse(MatchRefusal::NotFinished));
    }
    let seat = before.seat_of(caller.player).ok_or_else(|| refuse(MatchRefusal::NotSeated))?;
    let now = app.clock.now();
    let new_id = app.rematches.claim(*id, now).await?;
    let table = if let Some(table) = app.matches.get(new_id, Consistency::Store).await? {
        table
    } else {
        let done = open(&app, &before, new_id, caller.player, seat, now).await?;
        if !done.replayed {
            return created(&app, &done, caller.player).await;
        }
        done.after
    };
    let table = match table.seat_of(caller.player) {
        Some(_) => table,
        None => sit(&app, &table, caller.player, seat, now).await?,
    };
    let (document, tag) = document(&app, &table, Some(caller.player)).await?;
    Ok(HttpResponse::Ok().insert_header(("ETag", tag)).json(document))
}

/// Opens the rematch, unless somebody has done so in the meantime.
async fn open(
    app: &App,
    before: &Match,
    id: Uuid,
    creator: Uuid,
    seat: Seat,
    now: Timestamp,
) -> ApiResult<Executed> {
    let others: Vec<Uuid> = before
        .seats()
        .iter()
        .flatten()
        .map(|sitter| sitter.player)
        .filter(|player| *player != creator)
        .collect();
    // First the invitations: whoever finds the match is then invited to it already.
    invite(app, id, creator, &others, now).await?;
    let seed = secret::bytes::<32>().into();
    let create = Create {
        options: Some(before.options()),
        visibility: before.visibility(),
        seat,
        invite_code: (before.visibility() == Visibility::Private).then(secret::invite_code),
        time_limit: before.time_limit(),
        rematch_of: Some(before.id()),
        ..Create::new(id, before.game(), before.seat_count(), creator, seed)
    };
    let context = CommandContext::new(clock::new_id(now), now);
    Ok(app.matches.create(create, &context).await?)
}

/// Takes the seat that the player had, or another one.
async fn sit(
    app: &App,
    table: &Match,
    player: Uuid,
    seat: Seat,
    now: Timestamp,
) -> ApiResult<Arc<Match>> {
    let mut refused = ApiError::not_found();
    for seat in [Some(seat), None] {
        let command = Command::Sit {
            player,
            seat,
            entropy: None,
            invite_code: table.invite_code().map(str::to_owned),
        };
        let context = CommandContext::new(clock::new_id(now), now);
        match app.matches.execute(table.id(), &command, &context).await {
            Ok(done) => return done.map(|done| done.after).ok_or_else(ApiError::not_found),
            Err(error) => refused = error.into(),
        }
    }
    // Another request of the same player may have been faster.
    let table = app.matches.get(table.id(), Consistency::Store).await?;
    table.filter(|table| table.seat_of(player).is_some()).ok_or(refused)
}
