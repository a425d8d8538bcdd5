//! `POST /v1/matches`

use actix_web::{HttpResponse, web::Data};
use domain::{
    bot::BotLevel,
    matches::{BotSeat, Create, OnTimeout, TimeLimit, Visibility},
    seat::Seat,
    text::Text,
};
use serde::Deserialize;
use serde_json::value::RawValue;
use service::{creations, live::CommandContext, secret};
use utoipa::ToSchema;

use super::created;
use crate::{
    app::App,
    documents::{MatchDocument, schema::AnyOptions},
    error::{ApiError, ApiResult, Unprocessable},
    http::{Body, IdempotencyKey, game_in_field},
    middleware::{Caller, Endpoint},
    routes::seats::valid_entropy,
};

/// The match to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "game": "qwinto", "seats": 2 }))]
pub struct NewMatch {
    /// The key of the game.
    game: String,
    /// The number of seats; the game says how many it allows.
    #[schema(minimum = 1, maximum = 8)]
    seats: u8,
    /// The options of the game. Omitted ones have their defaults.
    #[schema(value_type = Option<AnyOptions>)]
    options: Option<Box<RawValue>>,
    /// Who may see the match; by default everybody.
    #[serde(default)]
    visibility: Visibility,
    /// Your contribution to the luck of the match: any text of at most 128 characters.
    #[schema(max_length = 128)]
    entropy: Option<String>,
    /// The time limit per decision in seconds, from 1 to 2,592,000 (30 days); by default none.
    #[schema(minimum = 1, maximum = 2_592_000, example = 86_400)]
    move_deadline: Option<u32>,
    /// What happens when a deadline passes: `automatic` (the server chooses a legal move, the default), `forfeit` (the seat
    /// resigns) or `bot` (a `casual` bot plays the seat until you return).
    on_timeout: Option<OnTimeout>,
    /// The levels of bots that take the seats after yours, in order. Matches with bots are unrated.
    #[serde(default)]
    #[schema(max_items = 7, example = json!(["club", "club"]))]
    bots: Vec<BotLevel>,
    /// Whether players may ask for hints. Everybody can see that, and the match is unrated.
    #[serde(default)]
    hints: bool,
}

/// The seats of these bots: the first ones that the creator, in seat 0, leaves free.
fn bot_seats(levels: &[BotLevel]) -> ApiResult<Vec<BotSeat>> {
    let free = Seat::all(Seat::MAX).skip(1);
    if levels.len() >= usize::from(Seat::MAX) {
        return Err(ApiError::bad_field(
            "bots",
            Text::new("A match has at most 7 bots.", "Una partida tiene como máximo 7 bots."),
        ));
    }
    Ok(free.zip(levels).map(|(seat, level)| BotSeat { seat, level: *level }).collect())
}

fn time_limit(seconds: Option<u32>, on_timeout: Option<OnTimeout>) -> ApiResult<Option<TimeLimit>> {
    match (seconds, on_timeout) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(ApiError::bad_field(
            "on_timeout",
            Text::new(
                "`on_timeout` requires a `move_deadline`.",
                "`on_timeout` requiere un `move_deadline`.",
            ),
        )),
        (Some(seconds), on_timeout) => {
            TimeLimit::new(seconds, on_timeout.unwrap_or_default()).map(Some).ok_or_else(|| {
                ApiError::bad_field(
                    "move_deadline",
                    Text::new(
                        "`move_deadline` must be a number of seconds from 1 to 2592000 (30 days).",
                        "`move_deadline` debe ser un número de segundos de 1 a 2592000 (30 días).",
                    ),
                )
            })
        }
    }
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_create_match, create_match)
}

/// Create a match
///
/// You take seat 0, and bots take the seats after it. The match starts when its last seat is taken; a match with one seat starts
/// immediately.
#[utoipa::path(
    post,
    path = "/v1/matches",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key returns the match that the first request created.")),
    request_body = NewMatch,
    responses(
        (status = 201, description = "The new match.", body = MatchDocument,
         headers(("ETag" = String, description = "The version, and a digest of the names of the players."), ("Location" = String, description = "The path of the match."))),
        Unprocessable,
    ),
)]
pub async fn create_match(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    body: Body<NewMatch>,
) -> ApiResult<HttpResponse> {
    let now = app.clock.now();
    let request = body.value;
    let game = game_in_field(&request.game)?;
    let entropy = request.entropy.map(valid_entropy).transpose()?;
    let scope = format!("matches/{}", caller.player);
    let id = creations::claim(&app.db, &scope, key.0.as_deref(), &body.bytes, now).await?;
    let seed = secret::bytes::<32>().into();
    let create = Create {
        options: request.options.as_deref(),
        visibility: request.visibility,
        entropy,
        time_limit: time_limit(request.move_deadline, request.on_timeout)?,
        bots: bot_seats(&request.bots)?,
        hints: request.hints,
        invite_code: (request.visibility == Visibility::Private).then(secret::invite_code),
        ..Create::new(id, game, request.seats, caller.player, seed)
    };
    let context = CommandContext::new(key.command_id(caller.player, now), now);
    let executed = app.matches.create(create, &context).await?;
    created(&app, &executed, caller.player).await
}
