//! `POST /v1/matches/{id}/moves`

use actix_web::{HttpResponse, http::StatusCode, web::Data};
use domain::{matches::Command, text::Text};
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use service::live::Consistency;

use crate::{
    app::App,
    error::{ApiError, ApiResult, Conflict, Forbidden, NotFound, Stale, Unprocessable},
    http::Body,
    limits::RateClass,
    middleware::Endpoint,
    middleware::MaybeCaller,
    openapi::AnyMove,
    routes::matches::{
        command::{CommandRequest, CommandResult, Reader, context, execute, result},
        visible,
    },
};

/// A move to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "move": { "type": "roll", "dice": ["orange", "purple"] } }))]
pub struct MakeMove {
    /// The move, as `legal-moves` lists it or as the schema of the game says.
    #[serde(rename = "move")]
    #[schema(value_type = AnyMove)]
    mv: Box<RawValue>,
    /// Only try: says what would happen without making the move. Refused where luck decides or where something hidden would be
    /// shown.
    #[serde(default)]
    dry_run: bool,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_make_move, make_move).limited_as(RateClass::Move)
}

/// Make a move
///
/// The answer comes after the move has been stored. With `If-Match`, the move is made only if what you decided upon is still the
/// same: simultaneous moves of other seats do not count against you.
#[utoipa::path(
    post,
    path = "/v1/matches/{id}/moves",
    tag = "Moves",
    security(("bearer" = ["match:play"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key gets the first answer."),
        ("If-Match" = Option<String>, Header, description = "The version that you decided upon, in double quotes."),
        ("Prefer" = Option<String>, Header, description = "`return=minimal` leaves out the `view`: less to send for clients that keep track of the game by themselves.", example = "return=minimal"),
        ("Accept-Language" = Option<String>, Header, description = "`en` or `es`, for the texts."),
    ),
    request_body = MakeMove,
    responses(
        (status = 200, description = "What happened.", body = CommandResult,
         headers(("ETag" = String, description = "The version of the match now."))),
        Forbidden, NotFound, Conflict, Stale, Unprocessable,
    ),
)]
pub async fn make_move(
    app: Data<App>,
    request: CommandRequest,
    body: Body<MakeMove>,
) -> ApiResult<HttpResponse> {
    let MakeMove { mv, dry_run } = body.value;
    let command = |player| Command::Play { player, mv };
    if dry_run {
        preview(&app, request, command).await
    } else {
        execute(&app, request, command).await
    }
}

async fn preview(
    app: &App,
    (id, caller, key, if_match, language, prefer): CommandRequest,
    command: impl FnOnce(Uuid) -> Command,
) -> ApiResult<HttpResponse> {
    let table = visible(app, *id, MaybeCaller(Some(caller)), Consistency::Local).await?;
    let context = context(app, caller, &key, if_match);
    let decision = app.matches.preview(*id, &command(caller.player), &context).await?;
    let decision = decision.ok_or_else(ApiError::not_found)?;
    if !decision.is_foreseeable() {
        return Err(unforeseeable().version(table.version()));
    }
    let first = decision.next.version() - decision.events.len() as u64 + 1;
    let reader = Reader { player: caller.player, lang: language.0, prefer };
    let result = result(&decision.next, &decision.events, first, context.at, reader);
    let mut response = HttpResponse::Ok();
    prefer.say(&mut response);
    Ok(response.json(result))
}

fn unforeseeable() -> ApiError {
    ApiError::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "not_foreseeable",
        Text::new(
            "The move is legal, but luck decides what follows or something hidden would be shown: it cannot be tried out.",
            "La jugada es legal, pero decide el azar o se mostraría algo oculto: no se puede ensayar.",
        ),
    )
    .field("dry_run")
}
