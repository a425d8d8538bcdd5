//! `POST /v1/matches/{id}/forks`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use domain::{
    matches::{Create, Fork, Origin, Refused, Visibility},
    seat::Seat,
};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{MatchDocument, created, visible};
use service::{
    creations,
    live::{CommandContext, Consistency},
    secret,
};

use crate::{
    app::App,
    error::{ApiError, ApiResult, Conflict, NotFound, Unprocessable},
    http::{Body, IdempotencyKey},
    middleware::Endpoint,
    middleware::{Caller, MaybeCaller},
    routes::seats::valid_entropy,
};

/// From where a match is to go on differently.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "at": 17, "seat": 1 }))]
pub struct NewFork {
    /// The version of the match to go on from; one in the middle of a move stands for the version before that move.
    at: u64,
    /// The seat that you take; 0 if left out.
    seat: Option<Seat>,
    /// Who may see the new match; everybody if left out.
    #[serde(default)]
    visibility: Visibility,
    /// What you add to the luck of the new match: any text of at most 128 characters.
    #[schema(max_length = 128)]
    entropy: Option<String>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_fork_match, fork_match)
}

/// Go on from the middle of a finished match
///
/// Opens a new match of the same game with the same options and seats. When its last seat is taken it starts as the other one
/// stood at that version, with everything that was hidden there, and with luck of its own. It does not count for statistics.
#[utoipa::path(
    post,
    path = "/v1/matches/{id}/forks",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(
        ("id" = Uuid, Path, description = "The id of the finished match."),
        ("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key finds the match that the first request created."),
    ),
    request_body = NewFork,
    responses(
        (status = 201, description = "The new match.", body = MatchDocument,
         headers(("ETag" = String, description = "The version, and a digest of the names of the players."), ("Location" = String, description = "Where the match is."))),
        NotFound, Conflict, Unprocessable,
    ),
)]
pub async fn fork_match(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<NewFork>,
) -> ApiResult<HttpResponse> {
    let now = app.clock.now();
    let request = body.value;
    let table = visible(&app, *id, MaybeCaller(Some(caller)), Consistency::Store).await?;
    let game = table.game();
    let commits = app.matches.history(*id, table.version()).await?;
    let fork = Fork::at(&commits, request.at)?.map_err(|refusal| {
        ApiError::refused(Refused::Match(refusal), game.info().key)
            .field("at")
            .version(table.version())
    })?;
    let entropy = request.entropy.map(valid_entropy).transpose()?;
    let asked = [id.as_bytes().as_slice(), &body.bytes].concat();
    let new_id = creations::claim(
        &app.db,
        &format!("forks/{}", caller.player),
        key.0.as_deref(),
        &asked,
        now,
    )
    .await?;
    let seed = secret::bytes::<32>().into();
    let create = Create {
        options: Some(table.options()),
        visibility: request.visibility,
        seat: request.seat.unwrap_or(Seat::FIRST),
        entropy,
        invite_code: (request.visibility == Visibility::Private).then(secret::invite_code),
        origin: Some(Origin::Fork(fork)),
        ..Create::new(new_id, game, table.seat_count(), caller.player, seed)
    };
    let order =
        CommandContext { command_id: key.command_id(caller.player, now), if_match: None, at: now };
    let done = app.matches.create(create, &order).await?;
    created(&app, &done, caller.player).await
}
