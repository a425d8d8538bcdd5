//! `POST /v1/matches/{id}/forks`

use actix_web::{
    HttpResponse,
    web::{Data, Path},
};
use domain::{
    matches::{Create, Fork, Match, Origin, Refused, Visibility},
    seat::Seat,
    text::Text,
};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use service::{
    creations,
    live::{CommandContext, Consistency},
    secret,
};

use super::created;
use crate::{
    app::App,
    documents::MatchDocument,
    error::{ApiError, ApiResult, Conflict, NotFound, Unprocessable},
    http::{Body, IdempotencyKey},
    middleware::{Caller, Endpoint},
    routes::seats::valid_entropy,
};

/// The version to continue from.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "at": 17, "seat": 1 }))]
pub struct NewFork {
    /// The version of the match to continue from. If it lies in the middle of a move, the version before that move is used.
    at: u64,
    /// The seat that you take; by default 0.
    seat: Option<Seat>,
    /// Who may see the new match; by default, everybody who may see the original. A fork of a private match is always private.
    visibility: Option<Visibility>,
    /// Your contribution to the luck of the new match: any text of at most 128 characters.
    #[schema(max_length = 128)]
    entropy: Option<String>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_fork_match, fork_match)
}

/// Fork a finished match
///
/// Opens a new match of the same game with the same options and number of seats. When its last seat is taken, it starts from the
/// state of the other match at that version, including what was hidden there, and with luck of its own. It does not count for
/// statistics. It shows what happened in the other match, so it is private if that one is.
#[utoipa::path(
    post,
    path = "/v1/matches/{id}/forks",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(
        ("id" = Uuid, Path, description = "The id of the finished match."),
        ("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key returns the match that the first request created."),
    ),
    request_body = NewFork,
    responses(
        (status = 201, description = "The new match.", body = MatchDocument,
         headers(("ETag" = String, description = "The version, and a digest of the names of the players."), ("Location" = String, description = "The path of the match."))),
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
    let m = app.visible_match(*id, Some(caller.player), Consistency::Store).await?;
    let game = m.game();
    let commits = app.matches.history().whole(*id, m.version()).await?;
    let fork = Fork::at(&commits, request.at)?.map_err(|refusal| {
        ApiError::refused(Refused::Match(refusal), game.info().key).field("at").version(m.version())
    })?;
    let entropy = request.entropy.map(valid_entropy).transpose()?;
    let visibility = visibility(&m, request.visibility)?;
    let scope = format!("forks/{}", caller.player);
    let fingerprint = [id.as_bytes().as_slice(), &body.bytes].concat();
    let new_id = creations::claim(&app.db, &scope, key.0.as_deref(), &fingerprint, now).await?;
    let seed = secret::bytes::<32>().into();
    let create = Create {
        options: Some(m.options()),
        visibility,
        seat: request.seat.unwrap_or(Seat::FIRST),
        entropy,
        invite_code: (visibility == Visibility::Private).then(secret::invite_code),
        origin: Some(Origin::Fork(fork)),
        ..Create::new(new_id, game, m.seat_count(), caller.player, seed)
    };
    let context = CommandContext::new(key.command_id(caller.player, now), now);
    let executed = app.matches.create(create, &context).await?;
    created(&app, &executed, caller.player).await
}

/// The visibility of a fork.
fn visibility(origin: &Match, wanted: Option<Visibility>) -> ApiResult<Visibility> {
    match (origin.visibility(), wanted) {
        (Visibility::Private, Some(Visibility::Public)) => Err(ApiError::bad_field(
            "visibility",
            Text::new(
                "A fork of a private match is private.",
                "Si una partida es privada, la que la continúa también lo es.",
            ),
        )),
        (inherited, wanted) => Ok(wanted.unwrap_or(inherited)),
    }
}
