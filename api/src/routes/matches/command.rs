//! What is done in a match: how a request asks for it, and what it is answered.

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
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
use utoipa::ToSchema;
use uuid::Uuid;

use super::{EventDocument, SeatDeadline, deadlines, event_documents, visible};
use crate::{
    app::App,
    auth::{Caller, MaybeCaller},
    clock,
    error::{ApiError, ApiResult},
    http::{IdempotencyKey, IfMatch, Language, Prefer, etag},
    live::{Done, Freshness, Order},
    openapi::AnyView,
};

/// What a command led to.
#[derive(Debug, Serialize, ToSchema)]
pub struct Answer {
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

/// What the requests say that ask for a command: to which match, by whom, under which key, upon which version, in which language,
/// and how much of an answer they want.
pub type Asked = (Path<Uuid>, Caller, IdempotencyKey, IfMatch, Language, Prefer);

/// Carries out a command that a player asks for.
pub async fn carry_out(
    app: &App,
    (id, caller, key, if_match, language, prefer): Asked,
    command: impl FnOnce(Uuid) -> Command,
) -> ApiResult<HttpResponse> {
    visible(app, *id, MaybeCaller(Some(caller)), Freshness::Known).await?;
    let order = order(caller, &key, if_match);
    let reader = Reader { player: caller.player, lang: language.0, prefer };
    let respond = |done: &Done| respond(done, reader);
    let done = app.matches.execute_and(*id, &command(caller.player), &order, respond).await?;
    done.map(|(_, response)| response).ok_or_else(ApiError::not_found)
}

/// How a command is to be carried out, now.
#[must_use]
pub fn order(caller: Caller, key: &IdempotencyKey, if_match: IfMatch) -> Order {
    let now = clock::now();
    Order { command_id: key.command_id(caller.player, now), if_match: if_match.0, at: now }
}

/// Who reads an answer, and how.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    /// The player.
    pub player: Uuid,
    /// The language.
    pub lang: Lang,
    /// How much of it.
    pub prefer: Prefer,
}

/// What a command led to, as its player may see it.
#[must_use]
pub fn answer(
    table: &Match,
    events: &[Event],
    first: u64,
    at: Timestamp,
    reader: Reader,
) -> Answer {
    let viewer = table.viewer(Some(reader.player));
    Answer {
        version: table.version(),
        status: table.status(),
        to_act: table.to_act().iter().collect(),
        deadlines: deadlines(table),
        events: event_documents(events, first, at, viewer, reader.lang).collect(),
        view: match reader.prefer {
            Prefer::Everything => table.view(viewer),
            Prefer::Minimal => None,
        },
    }
}

/// The response for a command that was carried out.
#[must_use]
fn respond(done: &Done, reader: Reader) -> HttpResponse {
    let answer = answer(&done.table, &done.events, done.first, done.at, reader);
    let mut response = HttpResponse::build(StatusCode::OK);
    response.insert_header((header::ETAG, etag(done.table.version())));
    response.insert_header((header::CONTENT_LANGUAGE, reader.lang.tag()));
    if done.replayed {
        response.insert_header(("Idempotency-Replayed", "true"));
    }
    reader.prefer.say(&mut response);
    response.json(answer)
}
