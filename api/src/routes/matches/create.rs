//! `POST /v1/matches`

use actix_web::{HttpResponse, post, web::Data};
use domain::{
    games,
    matches::{Create, Visibility},
    text::Text,
};
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::{MatchDocument, created};
use crate::{
    app::App,
    auth::Caller,
    clock,
    error::{ApiError, ApiResult, Unprocessable},
    http::{Body, IdempotencyKey, claim},
    live::Order,
    openapi::AnyOptions,
    routes::seats::valid_entropy,
    secret,
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
}

/// Create a match
///
/// You take seat 0. The match starts by itself when its last seat is taken; a match of one seat starts at once.
#[utoipa::path(
    tag = "Matches",
    security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key finds the match that the first request created.")),
    request_body = NewMatch,
    responses(
        (status = 201, description = "The match.", body = MatchDocument,
         headers(("ETag" = String, description = "The version."), ("Location" = String, description = "Where the match is."))),
        Unprocessable,
    ),
)]
#[post("/v1/matches")]
pub async fn create_match(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    body: Body<NewMatch>,
) -> ApiResult<HttpResponse> {
    let now = clock::now();
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
    let id = claim(&app, &scope, &key, &body.bytes, now).await?;
    let seed = secret::bytes::<32>().into();
    let create = Create {
        options: request.options.as_deref(),
        visibility: request.visibility,
        entropy,
        invite_code: (request.visibility == Visibility::Private).then(secret::invite_code),
        ..Create::new(id, game, request.seats, caller.player, seed)
    };
    let order = Order { command_id: key.command_id(caller.player, now), if_match: None, at: now };
    let done = app.matches.create(create, &order).await?;
    created(&app, &done, caller.player).await
}
