//! `POST /v1/matches/{id}/seats`

use actix_web::{
    HttpResponse,
    http::header,
    web::{Data, Path},
};
use domain::{matches::Command, seat::Seat};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::valid_entropy;
use service::live::{CommandContext, Consistency};

use crate::{
    app::App,
    error::{ApiError, ApiResult, Conflict, NotFound, Unprocessable},
    http::{Body, IdempotencyKey},
    middleware::Caller,
    middleware::Endpoint,
    routes::{
        invitations::is_invited,
        matches::{MatchDocument, document},
    },
};

/// Which seat, and what to bring.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "seat": 1 }))]
pub struct TakeSeat {
    /// Which seat; the first free one if left out.
    seat: Option<Seat>,
    /// What you add to the luck of the match: any text of at most 128 characters.
    #[schema(max_length = 128)]
    entropy: Option<String>,
    /// The code of a private match; not needed by those who are invited.
    invite_code: Option<String>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_take_seat, take_seat)
}

/// Take a seat
///
/// The match starts by itself when its last seat is taken.
#[utoipa::path(
    post,
    path = "/v1/matches/{id}/seats",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key gets the first answer."),
    ),
    request_body = TakeSeat,
    responses((status = 201, description = "The match with you in it.", body = MatchDocument,
         headers(("ETag" = String, description = "The version, and a digest of the names of the players."))), NotFound, Conflict, Unprocessable),
)]
pub async fn take_seat(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<TakeSeat>,
) -> ApiResult<HttpResponse> {
    let now = app.clock.now();
    let invite_code = match body.value.invite_code {
        Some(code) => Some(code),
        None => code_of_the_invited(&app, *id, caller.player).await?,
    };
    let command = Command::Sit {
        player: caller.player,
        seat: body.value.seat,
        entropy: body.value.entropy.map(valid_entropy).transpose()?,
        invite_code,
    };
    let order =
        CommandContext { command_id: key.command_id(caller.player, now), if_match: None, at: now };
    let done = app.matches.execute(*id, &command, &order).await?.ok_or_else(ApiError::not_found)?;
    let (document, tag) = document(&app, &done.after, Some(caller.player)).await?;
    let mut response = HttpResponse::Created();
    response.insert_header((header::ETAG, tag));
    if done.replayed {
        response.insert_header(("Idempotency-Replayed", "true"));
    }
    Ok(response.json(document))
}

/// Who is invited to a private match need not know its code.
async fn code_of_the_invited(app: &App, id: Uuid, player: Uuid) -> ApiResult<Option<String>> {
    let table = app.matches.get(id, Consistency::Local).await?;
    match table.as_ref().and_then(|table| table.invite_code()) {
        Some(code) if is_invited(app, id, player).await? => Ok(Some(code.to_owned())),
        _ => Ok(None),
    }
}
