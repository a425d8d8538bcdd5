//! Commands to a match: from the request to the response.

use actix_web::{
    HttpResponse,
    http::header::{self, ContentType},
    web::Path,
};
use domain::{
    matches::{Command, Event, Match},
    text::Lang,
    time::Timestamp,
};
use service::live::{CommandContext, Consistency, Executed};
use uuid::Uuid;

use crate::{
    app::App,
    documents::CommandResult,
    error::ApiResult,
    http::{IdempotencyKey, IfMatch, Language, Prefer, etag},
    middleware::Caller,
};

/// What every request with a command contains: the match, the caller, the idempotency key, the versions that the command may
/// be based on, the language, and how much the response should contain.
pub type CommandRequest = (Path<Uuid>, Caller, IdempotencyKey, IfMatch, Language, Prefer);

/// Executes a command.
pub async fn execute(
    app: &App,
    (id, caller, key, if_match, language, prefer): CommandRequest,
    command: impl FnOnce(Uuid) -> Command,
) -> ApiResult<HttpResponse> {
    let live = app.visible_live_match(*id, Some(caller.player), Consistency::Memory).await?;
    let context = context(app, caller, &key, if_match);
    let reader = ResultReader { player: caller.player, lang: language.0, prefer };
    // The body is rendered while the commit is being written.
    let body = |executed: &Executed| render(executed, reader);
    let command = command(caller.player);
    let (executed, body) = app.matches.execute_live(&live, &command, &context, body).await?;
    let mut response = HttpResponse::Ok();
    response.content_type(ContentType::json());
    response.insert_header((header::ETAG, etag(executed.after.version())));
    response.insert_header((header::CONTENT_LANGUAGE, reader.lang.tag()));
    if executed.replayed {
        response.insert_header(("Idempotency-Replayed", "true"));
    }
    reader.prefer.confirm(&mut response);
    Ok(response.body(body))
}

/// The context of a command that is executed now.
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

/// Who reads a result, in which language, and how much of it.
#[derive(Debug, Clone, Copy)]
pub struct ResultReader {
    /// The player.
    pub player: Uuid,
    /// The language.
    pub lang: Lang,
    /// How much the response contains.
    pub prefer: Prefer,
}

/// The result of a command as its player may see it.
#[must_use]
pub fn result(
    after: &Match,
    events: &[Event],
    first: u64,
    at: Timestamp,
    reader: ResultReader,
) -> CommandResult {
    let viewer = after.viewer(Some(reader.player));
    let result = CommandResult::new(after, events, first, at, viewer, reader.lang);
    match reader.prefer {
        Prefer::Everything => result.with_view(after, viewer),
        Prefer::Minimal => result,
    }
}

fn render(executed: &Executed, reader: ResultReader) -> Vec<u8> {
    let Executed { after, events, first, at, .. } = executed;
    serde_json::to_vec(&result(after, events, *first, *at, reader)).expect("a result is plain data")
}
