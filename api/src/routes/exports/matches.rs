//! `GET /v1/exports/matches`

use std::collections::VecDeque;

use actix_web::{
    HttpResponse,
    http::header,
    web::{Bytes, Data},
};
use domain::{
    erased::AnyGame,
    games,
    matches::{Match, Status},
    text::Text,
};
use futures_util::{Stream, stream};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::csv;
use service::export::Export;
use store::entities::match_summary;

use crate::{
    app::App,
    error::{ApiError, ApiResult, NotAcceptable},
    http::{Accepted, CSV, Finite, Limit, NDJSON, Params},
    middleware::Endpoint,
    middleware::{Caller, MaybeCaller},
    routes::matches::list::{Filter, wanted},
};

/// How many matches are looked up at once.
const PAGE: u64 = 100;
/// So many bytes are sent at once, or a little more.
const CHUNK: usize = 32 * 1024;

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_export_matches, export_matches)
}

/// Matches as a stream
///
/// Matches that are over, yours and public ones, newest first, with the filters of the list: whole matches one a line, each as
/// `telar import` reads it, or with `Accept: text/csv` a table with a row a seat. Matches that are still going on are left out. An export that breaks off is
/// resumed with the id of the last whole match as `cursor`. In a table with one `game` its measures have columns, those of the whole
/// match beginning with `match_`.
#[utoipa::path(
    get,
    path = "/v1/exports/matches",
    tag = "Records",
    security((), ("bearer" = ["match:read"])),
    params(Filter),
    responses(
        (status = 200, description = "The matches; as `text/csv` a row a seat.",
         content((Export = "application/x-ndjson"), (String = "text/csv"))),
        NotAcceptable,
    ),
)]
pub async fn export_matches(
    app: Data<App>,
    caller: MaybeCaller,
    filter: Params<Filter>,
    accepted: Accepted,
) -> ApiResult<HttpResponse> {
    let accepted = accepted.best(&[NDJSON, CSV])?;
    let filter = filter.0;
    wanted(&filter, caller.0, None)?;
    if filter.status.is_some_and(|status| !status.is_over()) {
        return Err(going_on("status"));
    }
    for (field, is_set) in
        [("waiting_for_me", filter.waiting_for_me), ("open_seats", filter.open_seats)]
    {
        if is_set {
            return Err(going_on(field));
        }
    }
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "private, no-store"));
    response.insert_header((header::VARY, "Accept, Authorization"));
    let (form, head) = if accepted == CSV {
        let game = filter.game.as_deref().and_then(games::find);
        response.content_type("text/csv; charset=utf-8; header=present");
        response
            .insert_header((header::CONTENT_DISPOSITION, "attachment; filename=\"matches.csv\""));
        (Form::Table(game), csv::head(game))
    } else {
        response.content_type(NDJSON);
        (Form::Lines, String::new())
    };
    response.extensions_mut().insert(Finite);
    let left = filter.limit.map_or(u64::MAX, Limit::get);
    let ids = VecDeque::new();
    let job = Job { app, caller: caller.0, filter, form, left, ids, has_more: true };
    Ok(response.streaming(body(job, head)))
}

fn going_on(field: &str) -> ApiError {
    let text = Text::new(
        "An export holds matches that are over; GET /v1/matches finds the others.",
        "Una exportación contiene partidas terminadas; GET /v1/matches encuentra las demás.",
    );
    ApiError::bad_field(field, text)
}

/// The form of an export.
#[derive(Clone, Copy)]
enum Form {
    /// WholeMatch matches.
    Lines,
    /// Rows, with columns for the measures of this game.
    Table(Option<&'static dyn AnyGame>),
}

/// What is left to do.
struct Job {
    app: Data<App>,
    caller: Option<Caller>,
    filter: Filter,
    form: Form,
    left: u64,
    ids: VecDeque<Uuid>,
    has_more: bool,
}

/// Matches are read one after the other as they are sent: there is never more than a chunk of them.
fn body(job: Job, head: String) -> impl Stream<Item = Result<Bytes, actix_web::Error>> {
    stream::try_unfold((job, head), |(mut job, mut chunk)| async move {
        while chunk.len() < CHUNK {
            let Some(id) = job.next().await? else { break };
            chunk.push_str(&job.show(id).await?);
        }
        Ok((!chunk.is_empty()).then(|| (Bytes::from(chunk), (job, String::new()))))
    })
}

impl Job {
    /// The next match.
    async fn next(&mut self) -> ApiResult<Option<Uuid>> {
        if self.left == 0 {
            return Ok(None);
        }
        if self.ids.is_empty() && self.has_more {
            let over = [Status::Finished, Status::Abandoned].map(Status::id);
            let ids: Vec<Uuid> = wanted(&self.filter, self.caller, None)?
                .select_only()
                .column(match_summary::Column::Id)
                .filter(match_summary::Column::Status.is_in(over))
                .order_by_desc(match_summary::Column::Id)
                .limit(PAGE)
                .into_tuple()
                .all(&self.app.db)
                .await?;
            self.has_more = ids.len() as u64 == PAGE;
            self.ids = ids.into();
        }
        let next = self.ids.pop_front();
        if let Some(id) = next {
            self.filter.go_on_after(id);
            self.left -= 1;
        }
        Ok(next)
    }

    /// A match as its lines. Past the memory of the server: what is exported is not what is being looked at.
    async fn show(&self, id: Uuid) -> ApiResult<String> {
        let log = self.app.matches.log().load(id, 0).await?;
        let Form::Table(game) = self.form else {
            let export = Export::of(&self.app.names, &log, self.app.clock.now()).await?;
            return Ok(export.map(|export| export.to_text() + "\n").unwrap_or_default());
        };
        let Some(table) = Match::fold(&log)? else { return Ok(String::new()) };
        let players = table.seats().iter().flatten().map(|sitter| sitter.player).collect();
        let names = self.app.names.of(players, self.app.clock.now()).await?;
        Ok(csv::rows(&table, game, |seat| {
            table.sitter(seat).and_then(|sitter| names.get(&sitter.player).cloned())
        }))
    }
}
