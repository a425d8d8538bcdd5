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
    documents::{CommandResult, schema::AnyMove},
    error::{ApiError, ApiResult, Conflict, Forbidden, NotFound, Stale, Unprocessable},
    http::Body,
    limits::RateClass,
    middleware::Endpoint,
    routes::matches::command::{CommandRequest, ResultReader, context, execute, result},
};

/// The move to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "move": { "type": "roll", "dice": ["orange", "purple"] } }))]
pub struct MakeMove {
    /// The move, as listed by `legal-moves` or described by the schema of the game.
    #[serde(rename = "move")]
    #[schema(value_type = AnyMove)]
    mv: Box<RawValue>,
    /// Returns what would happen, without making the move. Refused if luck decides or hidden information would be revealed.
    #[serde(default)]
    dry_run: bool,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_make_move, make_move).limited_as(RateClass::Move)
}

/// Make a move
///
/// The response is sent after the move has been stored. With `If-Match`, the move is made only if your decision still has the same
/// basis; simultaneous moves of other seats do not change it.
#[utoipa::path(
    post,
    path = "/v1/matches/{id}/moves",
    tag = "Moves",
    security(("bearer" = ["match:play"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key returns the first response."),
        ("If-Match" = Option<String>, Header, description = "The version that the command is based on, in double quotes."),
        ("Prefer" = Option<String>, Header, description = "`return=minimal` omits the `view`, for clients that track the game themselves.", example = "return=minimal"),
        ("Accept-Language" = Option<String>, Header, description = "The language of the texts: `en` or `es`."),
    ),
    request_body = MakeMove,
    responses(
        (status = 200, description = "The result of the command.", body = CommandResult,
         headers(("ETag" = String, description = "The version of the match."))),
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
    let m = app.visible_match(*id, Some(caller.player), Consistency::Local).await?;
    let context = context(app, caller, &key, if_match);
    let decision = app.matches.preview(*id, &command(caller.player), &context).await?;
    let decision = decision.ok_or_else(ApiError::not_found)?;
    if !decision.is_foreseeable() {
        return Err(unforeseeable().version(m.version()));
    }
    let first = decision.next.version() - decision.events.len() as u64 + 1;
    let reader = ResultReader { player: caller.player, lang: language.0, prefer };
    let result = result(&decision.next, &decision.events, first, context.at, reader);
    let mut response = HttpResponse::Ok();
    prefer.confirm(&mut response);
    Ok(response.json(result))
}

fn unforeseeable() -> ApiError {
    ApiError::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "not_foreseeable",
        Text::new(
            "The move is legal, but a dry run is impossible: luck decides, or hidden information would be revealed.",
            "La jugada es legal, pero no se puede simular: depende del azar o revelaría información oculta.",
        ),
    )
    .field("dry_run")
}
