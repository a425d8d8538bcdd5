//! What is done in a match: how a request asks for it, and what it is answered.

use actix_web::{
    HttpResponse,
    http::header::{self, ContentType},
    web::Path,
};
use domain::{
    matches::{Command, Event, Match, Status},
    seat::Seat,
    text::Lang,
    time::Timestamp,
};
use serde::Serialize;
use serde_json::value::RawValue;
use service::live::{CommandContext, Consistency, Executed};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{EventDocument, SeatDeadline, deadlines, event_documents, visible_live};
use crate::{
    app::App,
    error::ApiResult,
    http::{IdempotencyKey, IfMatch, Language, Prefer, etag},
    middleware::{Caller, MaybeCaller},
    openapi::AnyView,
};

/// The result of a command.
#[derive(Debug, Serialize, ToSchema)]
pub struct CommandResult {
    /// The version of the match now.
    #[schema(example = 18)]
    pub version: u64,
    /// Where the match stands now.
    pub status: Status,
    /// The seats that the match waits for now.
    pub to_act: Vec<Seat>,
    /// Until when each of these has to decide; empty where the match has no time limit.
    pub deadlines: Vec<SeatDeadline>,
    /// What happened, as the caller may see it.
    pub events: Vec<EventDocument>,
    /// What the caller sees of the game now; `null` before the start, and where the request says `Prefer: return=minimal`.
    #[schema(value_type = Option<AnyView>)]
    pub view: Option<Box<RawValue>>,
}

/// What a request says about a command: for which match, by whom, under which key, upon which version, in which language, and
/// how much of an answer it wants.
pub type CommandRequest = (Path<Uuid>, Caller, IdempotencyKey, IfMatch, Language, Prefer);

/// Executes a command.
pub async fn execute(
    app: &App,
    (id, caller, key, if_match, language, prefer): CommandRequest,
    command: impl FnOnce(Uuid) -> Command,
) -> ApiResult<HttpResponse> {
    let live = visible_live(app, *id, MaybeCaller(Some(caller)), Consistency::Local).await?;
    let context = context(app, caller, &key, if_match);
    let reader = Reader { player: caller.player, lang: language.0, prefer };
    // The body is rendered while the commit is on its way to the store.
    let render = |executed: &Executed| render(executed, reader);
    let command = command(caller.player);
    let (executed, body) = app.matches.execute_live(&live, &command, &context, render).await?;
    let mut response = HttpResponse::Ok();
    response.content_type(ContentType::json());
    response.insert_header((header::ETAG, etag(executed.after.version())));
    response.insert_header((header::CONTENT_LANGUAGE, reader.lang.tag()));
    if executed.replayed {
        response.insert_header(("Idempotency-Replayed", "true"));
    }
    reader.prefer.say(&mut response);
    Ok(response.body(body))
}

/// How a command is to be executed, now.
#[must_use]
pub fn context(
    app: &App,
    caller: Caller,
    key: &IdempotencyKey,
    if_match: IfMatch,
) -> CommandContext {
    let now = app.clock.now();
    let command_id = key.command_id(caller.player, now);
    CommandContext { command_id, if_match: if_match.0, at: now }
}

/// Who reads a result, and how.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    /// The player.
    pub player: Uuid,
    /// The language.
    pub lang: Lang,
    /// How much of it.
    pub prefer: Prefer,
}

/// The result of a command as its player may see it.
#[must_use]
pub fn result(
    after: &Match,
    events: &[Event],
    first: u64,
    at: Timestamp,
    reader: Reader,
) -> CommandResult {
    let viewer = after.viewer(Some(reader.player));
    CommandResult {
        version: after.version(),
        status: after.status(),
        to_act: after.to_act().iter().collect(),
        deadlines: deadlines(after),
        events: event_documents(events, first, at, viewer, reader.lang).collect(),
        view: match reader.prefer {
            Prefer::Everything => after.view(viewer),
            Prefer::Minimal => None,
        },
    }
}

fn render(executed: &Executed, reader: Reader) -> Vec<u8> {
    let Executed { after, events, first, at, .. } = executed;
    serde_json::to_vec(&result(after, events, *first, *at, reader)).expect("a result is plain data")
}
