//! `POST /v1/matches/{id}/rematch`

use std::sync::Arc;

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use domain::{
    bot::BotLevel,
    matches::{BotSeat, Command, Create, Match, MatchRefusal, Refused, Status, Visibility},
    seat::Seat,
    time::Timestamp,
};
use uuid::Uuid;

use service::{
    clock,
    live::{CommandContext, Consistency, Executed},
    secret,
};

use super::created;
use crate::{
    app::App,
    documents::MatchDocument,
    error::{ApiError, ApiResult, Conflict, Forbidden, NotFound},
    middleware::{Caller, Endpoint},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_rematch, rematch)
}

/// Ask for a rematch
///
/// For the players of a finished match. The first request opens a new match with the same game, options, number of seats,
/// visibility and time limit, and invites the other players; bots take their seats again. Their requests take a seat in it. Everybody gets the same seat as
/// before if it is free.
#[utoipa::path(
    post,
    path = "/v1/matches/{id}/rematch",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(("id" = Uuid, Path, description = "The id of the finished match.")),
    responses(
        (status = 200, description = "The rematch existed already; you have a seat in it.", body = MatchDocument,
         headers(("ETag" = String, description = "The version, and a digest of the names of the players."))),
        (status = 201, description = "The rematch that you have opened.", body = MatchDocument,
         headers(("ETag" = String, description = "The version, and a digest of the names of the players."), ("Location" = String, description = "The path of the match."))),
        Forbidden, NotFound, Conflict,
    ),
)]
pub async fn rematch(app: Data<App>, caller: Caller, id: Path<Uuid>) -> ApiResult<HttpResponse> {
    let before = app.visible_match(*id, Some(caller.player), Consistency::Store).await?;
    let refuse = |refusal| ApiError::refused(Refused::Match(refusal), before.game().info().key);
    if before.status() != Status::Finished {
        return Err(refuse(MatchRefusal::NotFinished));
    }
    let seat = before.seat_of(caller.player).ok_or_else(|| refuse(MatchRefusal::NotSeated))?;
    let now = app.clock.now();
    let new_id = app.rematches.claim(*id, now).await?;
    let m = if let Some(m) = app.matches.get(new_id, Consistency::Store).await? {
        m
    } else {
        let executed = open(&app, &before, new_id, caller.player, seat, now).await?;
        if !executed.replayed {
            return created(&app, &executed, caller.player).await;
        }
        executed.after
    };
    let m = match m.seat_of(caller.player) {
        Some(_) => m,
        None => sit(&app, &m, caller.player, seat, now).await?,
    };
    let document = app.match_document(&m, Some(caller.player)).await?;
    Ok(HttpResponse::Ok().insert_header(("ETag", document.etag())).json(document))
}

/// Opens the rematch, unless another player has done so in the meantime.
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
        .filter(|player| *player != creator && BotLevel::of(*player).is_none())
        .collect();
    let bots = Seat::all(before.seat_count()).filter_map(|seat| {
        let level = BotLevel::of(before.sitter(seat)?.player)?;
        Some(BotSeat { seat, level })
    });
    if app.blocks.are_between(creator, &others).await? {
        return Err(ApiError::not_found());
    }
    // Invitations come first, so that nobody finds the match without being invited.
    app.invitations.add(id, creator, &others, now).await?;
    let seed = secret::bytes::<32>().into();
    let create = Create {
        options: Some(before.options()),
        visibility: before.visibility(),
        seat,
        invite_code: (before.visibility() == Visibility::Private).then(secret::invite_code),
        time_limit: before.time_limit(),
        bots: bots.collect(),
        hints: before.has_hints(),
        rematch_of: Some(before.id()),
        ..Create::new(id, before.game(), before.seat_count(), creator, seed)
    };
    let context = CommandContext::new(clock::new_id(now), now);
    Ok(app.matches.create(create, &context).await?)
}

/// Takes the seat that the player had before, or another one.
async fn sit(
    app: &App,
    m: &Match,
    player: Uuid,
    seat: Seat,
    now: Timestamp,
) -> ApiResult<Arc<Match>> {
    let mut refused = ApiError::not_found();
    for seat in [Some(seat), None] {
        let invite_code = m.invite_code().map(str::to_owned);
        let command = Command::Sit { player, seat, entropy: None, invite_code };
        let context = CommandContext::new(clock::new_id(now), now);
        match app.blocks.sit(m.id(), &command, &context).await {
            Ok(executed) => {
                return executed.map(|executed| executed.after).ok_or_else(ApiError::not_found);
            }
            Err(error) => refused = error.into(),
        }
    }
    // Another request of the same player may have been faster.
    let m = app.matches.get(m.id(), Consistency::Store).await?;
    m.filter(|m| m.seat_of(player).is_some()).ok_or(refused)
}
