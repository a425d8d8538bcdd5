//! `POST /v1/matches/{id}/seats`

use actix_web::{
    HttpResponse,
    http::header,
    web::{Data, Path},
};
use domain::{bot::BotLevel, matches::Command, seat::Seat, text::Text};
use serde::Deserialize;
use service::live::{CommandContext, Consistency};
use utoipa::ToSchema;
use uuid::Uuid;

use super::valid_entropy;
use crate::{
    app::App,
    documents::MatchDocument,
    error::{ApiError, ApiResult, Conflict, Forbidden, NotFound, Unprocessable},
    http::{Body, IdempotencyKey},
    middleware::{Caller, Endpoint},
};

/// The seat to take, or to give to a bot.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "seat": 1 }))]
pub struct TakeSeat {
    /// The number of the seat; by default the first free one.
    seat: Option<Seat>,
    /// Your contribution to the luck of the match: any text of at most 128 characters.
    #[schema(max_length = 128)]
    entropy: Option<String>,
    /// The code of a private match. Invited players do not need it.
    invite_code: Option<String>,
    /// Seats a bot of this level instead of yourself. Only the creator of the match may do that.
    bot: Option<BotLevel>,
}

impl TakeSeat {
    /// The command of a player who may enter with this code.
    fn command(self, player: Uuid, invite_code: Option<String>) -> ApiResult<Command> {
        match (self.bot, self.entropy) {
            (Some(_), Some(_)) => Err(ApiError::bad_field(
                "entropy",
                Text::new("A bot contributes no `entropy`.", "Un bot no aporta `entropy`."),
            )),
            (Some(level), None) => Ok(Command::SeatBot { player, seat: self.seat, level }),
            (None, entropy) => Ok(Command::Sit {
                player,
                seat: self.seat,
                entropy: entropy.map(valid_entropy).transpose()?,
                invite_code,
            }),
        }
    }
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_take_seat, take_seat)
}

/// Take a seat
///
/// The match starts when its last seat is taken. The creator of the match can also give a free seat to a bot (`bot`).
#[utoipa::path(
    post,
    path = "/v1/matches/{id}/seats",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key returns the first response."),
    ),
    request_body = TakeSeat,
    responses((status = 201, description = "The match with you, or the bot, in that seat.", body = MatchDocument,
         headers(("ETag" = String, description = "The version, and a digest of the names of the players."))), Forbidden, NotFound, Conflict, Unprocessable),
)]
pub async fn take_seat(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<TakeSeat>,
) -> ApiResult<HttpResponse> {
    let now = app.clock.now();
    let code = body.value.invite_code.clone();
    let invite_code = admit(&app, *id, caller.player, code).await?;
    let command = body.value.command(caller.player, invite_code)?;
    let context = CommandContext::new(key.command_id(caller.player, now), now);
    let executed = match &command {
        Command::Sit { .. } => app.blocks.sit(*id, &command, &context).await?,
        _ => app.matches.execute(*id, &command, &context).await?,
    };
    let executed = executed.ok_or_else(ApiError::not_found)?;
    let document = app.match_document(&executed.after, Some(caller.player)).await?;
    let mut response = HttpResponse::Created();
    response.insert_header((header::ETAG, document.etag()));
    if executed.replayed {
        response.insert_header(("Idempotency-Replayed", "true"));
    }
    Ok(response.json(document))
}

/// The invite code for a player who may enter. For all others, a private match does not exist, whatever has become of it.
async fn admit(
    app: &App,
    id: Uuid,
    player: Uuid,
    code: Option<String>,
) -> ApiResult<Option<String>> {
    let m = app.matches.get(id, Consistency::Local).await?.ok_or_else(ApiError::not_found)?;
    let Some(right) = m.invite_code() else { return Ok(code) };
    let may_enter = code.as_deref() == Some(right)
        || m.seat_of(player).is_some()
        || (code.is_none() && app.invitations.is_invited(id, player).await?);
    if may_enter { Ok(Some(right.to_owned())) } else { Err(ApiError::not_found()) }
}
