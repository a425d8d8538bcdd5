//! `POST /v1/matches`

use actix_web::{HttpResponse, web::Data};
use domain::{
    games,
    matches::{Create, OnTimeout, TimeLimit, Visibility},
    text::Text,
};
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::{MatchDocument, created};
use service::{creations, live::CommandContext, secret};

use crate::{
    app::App,
    error::{ApiError, ApiResult, Unprocessable},
    http::{Body, IdempotencyKey},
    middleware::Caller,
    middleware::Endpoint,
    openapi::AnyOptions,
    routes::seats::valid_entropy,
};

/// A match to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "game": "qwinto", "seats": 2 }))]
pub struct NewMatch {
    /// The key of the game.
    game: String,
    /// How many seats there are; see the game for how many it allows.
    #[schema(minimum = 1, maximum = 8)]
    seats: u8,
    /// Options of the game; its defaults where left out.
    #[schema(value_type = Option<AnyOptions>)]
    options: Option<Box<RawValue>>,
    /// Who may see it; everybody if left out.
    #[serde(default)]
    visibility: Visibility,
    /// What you add to the luck of the match: any text of at most 128 characters.
    #[schema(max_length = 128)]
    entropy: Option<String>,
    /// How many seconds a seat may think about each decision, from 1 to 2,592,000 (30 days); as long as it likes if left out.
    #[schema(minimum = 1, maximum = 2_592_000, example = 86_400)]
    move_deadline: Option<u32>,
    /// What happens when a deadline passes: `automatic` (a legal move is chosen for the seat) or `forfeit` (the seat resigns);
    /// `automatic` if left out.
    on_timeout: Option<OnTimeout>,
}

fn time_limit(seconds: Option<u32>, on_timeout: Option<OnTimeout>) -> ApiResult<Option<TimeLimit>> {
    match (seconds, on_timeout) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(ApiError::bad_field(
            "on_timeout",
            Text::new(
                "`on_timeout` goes with a `move_deadline`.",
                "`on_timeout` va junto con un `move_deadline`.",
            ),
        )),
        (Some(seconds), on_timeout) => {
            TimeLimit::new(seconds, on_timeout.unwrap_or_default()).map(Some).ok_or_else(|| {
                ApiError::bad_field(
                    "move_deadline",
                    Text::new(
                        "`move_deadline` is a number of seconds from 1 to 2592000 (30 days).",
                        "`move_deadline` es un número de segundos de 1 a 2592000 (30 días).",
                    ),
                )
            })
        }
    }
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_create_match, create_match)
}

/// Create a match
///
/// You take seat 0. The match starts by itself when its last seat is taken; a match of one seat starts at once.
#[utoipa::path(
    post,
    path = "/v1/matches",
    tag = "Matches",
    security(("bearer" = ["match:play"])),
    params(("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key finds the match that the first request created.")),
    request_body = NewMatch,
    responses(
        (status = 201, description = "The match.", body = MatchDocument,
         headers(("ETag" = String, description = "The version."), ("Location" = String, description = "Where the match is."))),
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
    let game = games::find(&request.game).ok_or_else(|| {
        ApiError::bad_field(
            "game",
            Text::new(
                "There is no such game; GET /v1/games lists them.",
                "No existe ese juego; GET /v1/games los enumera.",
            ),
        )
    })?;
    let entropy = request.entropy.map(valid_entropy).transpose()?;
    let scope = format!("matches/{}", caller.player);
    let id = creations::claim(&app.db, &scope, key.0.as_deref(), &body.bytes, now).await?;
    let seed = secret::bytes::<32>().into();
    let create = Create {
        options: request.options.as_deref(),
        visibility: request.visibility,
        entropy,
        time_limit: time_limit(request.move_deadline, request.on_timeout)?,
        invite_code: (request.visibility == Visibility::Private).then(secret::invite_code),
        ..Create::new(id, game, request.seats, caller.player, seed)
    };
    let order =
        CommandContext { command_id: key.command_id(caller.player, now), if_match: None, at: now };
    let done = app.matches.create(create, &order).await?;
    created(&app, &done, caller.player).await
}
